//! dev
use honinbo_net::onnx::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let f = honinbo_net::NetworkFile::open(a[1].as_ref(), &honinbo_net::Limits::default()).unwrap();
    let shape = match a[3].as_str() {
        "any" => BoardShape::Any,
        s => {
            let m = s.starts_with('m');
            let d: Vec<usize> = s.trim_start_matches('m').split('x').map(|p| p.parse().unwrap()).collect();
            let (n, k) = (d[0], *d.last().unwrap());
            if m { BoardShape::Masked { width: n, height: k } } else { BoardShape::Exact { width: n, height: k } }
        }
    };
    let wrap = a.get(4).is_some_and(|w| w == "wrap");
    let precision = if a.get(4).is_some_and(|w| w == "fp16") { Precision::Fp16 } else { Precision::Fp32 };
    let bytes =
        to_onnx(&f.model, &GraphOptions { shape, edges: Edges { wrap_x: wrap, wrap_y: wrap }, precision }).unwrap();
    std::fs::write(&a[2], bytes).unwrap();
}
