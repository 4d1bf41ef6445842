package transcript

// Windows keeps its pipes in a name space of their own, where they are no
// regular files.
const noHang = 0
