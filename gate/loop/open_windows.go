package loop

// Windows keeps its pipes in a name space of their own.
const noHang = 0
