//! Two programs over stdio, under `examples/`: a server that speaks every revision, and a client that tries a server out.
