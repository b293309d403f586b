//! KataGo networks: files, ONNX graphs, input features, evaluations, devices.
