//! Tree search over an evaluator.
