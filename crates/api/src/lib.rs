//! Every command and event of Honinbo, once.
