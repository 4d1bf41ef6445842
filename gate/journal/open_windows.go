package journal

// plain: Windows keeps its pipes in a name space of their own, and only an
// administrator makes links.
const plain = 0
