package install

// modesCount says that the system keeps a file's mode as it was set. Here there
// is one read-only attribute, which the agent's own tools ignore.
const modesCount = false

// programEndings are what the name of a program may end with.
var programEndings = []string{".exe", ".cmd", ".bat"}
