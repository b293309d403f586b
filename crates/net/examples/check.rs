//! dev
use honinbo_net::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rt = Runtime::load(&LibrarySearch::new(Some("/tmp/team/ort/libonnxruntime.so".into()), vec![])).unwrap();
    println!("ORT {} {:?}", rt.version(), rt.path());
    let o = check::CheckOptions {
        golden: args[1].clone().into(),
        networks: vec!["/tmp/team/nets".into()],
        evaluator: EvaluatorOptions::cpu(2),
        most_positions: args.get(2).map(|n| n.parse().unwrap()),
        only: args.get(3).cloned(),
    };
    let r =
        check::check_networks(&o, &rt, &mut |p| eprint!("\r{} {}/{}   ", p.network, p.done, p.of), &StopFlag::new())
            .unwrap();
    println!("\n{r}");
}
