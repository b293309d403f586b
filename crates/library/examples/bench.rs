//! Measures a library: `cargo run --release -p honinbo-library --example bench -- LIBRARY TIMES [FILE...]` imports
//! the files so many times, varied, and prints the report of `bench_library` as JSON.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(std::path::PathBuf::from);
    let library = arguments.next().ok_or("no library named")?;
    let times = arguments.next().and_then(|times| times.to_str()?.parse().ok()).ok_or("no number of times")?;
    let report = honinbo_library::bench_library(&library, &arguments.collect::<Vec<_>>(), times, 0)?;
    #[expect(clippy::print_stdout, reason = "an example says what it measured")]
    {
        println!("{}", serde_json::to_string_pretty(&report)?);
    }
    Ok(())
}
