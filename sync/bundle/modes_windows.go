package bundle

// modeless: the system's files have no mode that tells programs from data.
const modeless = true
