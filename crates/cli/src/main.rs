//! The `honinbo` command: analysis, networks, library and services in a terminal.
//!
//! Exit status: 0 success, 1 a failure that a line on standard error explains, 2 wrong usage.
//!
//! A fuzzer compiles the same program with the conversation of `honinbo mcp` in the place of `main` (`fuzz/`).
#![cfg_attr(fuzzing, no_main, allow(dead_code, reason = "only a part of the program is fuzzed"))]
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

mod analysis;
mod app;
mod args;
mod bench;
mod benchmark;
mod board;
mod booklet;
mod config;
mod convert;
mod device_watch;
mod failure;
mod genconfig;
mod gtp;
mod interrupt;
mod library;
mod local_name;
mod match_games;
mod mcp;
mod net;
mod new_file;
mod notes;
mod oidc;
mod output;
mod pages;
mod play_game;
mod positions;
mod progress;
mod qr;
mod records;
mod referee;
mod review;
mod run;
mod search;
mod secret_file;
mod serve;
mod settings_table;
mod store;
mod store_copy;
mod style;
mod tables;
mod train;
mod update;
mod words;

use args::{Args, Command};
use clap::Parser as _;
use failure::Failure;
use output::Output;
use std::io::Write as _;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    honinbo_net::forbid_telemetry();
    honinbo_net::answer_library_trial();
    // The shells of Windows leave `*.sgf` to the program; elsewhere the shell has dealt with it.
    let args = match Args::try_parse_from(args::as_katago_writes_it(wild::args_os())) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no errors: clap gives them status 0 and standard output.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let filter = EnvFilter::try_from_env("HONINBO_LOG").unwrap_or_else(|_| EnvFilter::new("error"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    if std::env::var_os("HONINBO_LOG_FORMAT").is_some_and(|format| format == "json") {
        log.json().init();
    } else {
        log.init();
    }
    let mut output = Output::stdout();
    let result = match args.command {
        Command::Run(command) => run::run(&command, args.data, &mut output),
        Command::Review(command) => review::review(&command, args.data, &mut output),
        Command::Booklet(command) => booklet::booklet(&command, args.data, &mut output),
        Command::Referee(command) => referee::referee(&command, &mut output),
        Command::Gtp(command) => gtp::gtp(&command, args.data),
        Command::Analysis(command) => analysis::analysis(&command, args.data),
        Command::Mcp(command) => mcp::mcp(&command, args.data),
        Command::Serve(command) => serve::serve(*command, args.data, &mut output),
        Command::Play(command) => play_game::play_game(&command, args.data, &mut output),
        Command::Match(command) => match_games::match_games(&command, args.data, &mut output),
        Command::Train(command) => train::train(command, args.data, &mut output),
        Command::Net(command) => net::net(command, args.data, &mut output),
        Command::Convert(command) => convert::convert(&command, &mut output),
        Command::Library(command) => library::library(command, args.data, &mut output),
        Command::Store(command) => store_copy::store(command, &mut output),
        Command::Search(command) => search::search(command, args.data, &mut output),
        Command::Benchmark(command) => benchmark::benchmark(&command, args.data, &mut output),
        Command::Genconfig(command) => genconfig::genconfig(&command, &mut output),
        Command::Bench(command) => bench::bench(command, args.data, &mut output),
        Command::Update(command) => update::update(&command, args.data, &mut output),
        Command::Pages { folder } => pages::write_pages(&folder),
    };
    match result.and_then(|()| Ok(output.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has read enough: `honinbo … | head` is no failure.
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Stopped(status)) => ExitCode::from(status),
        Err(failure) => {
            let _ = output.flush();
            let _ = writeln!(std::io::stderr(), "{}", failure.line());
            ExitCode::from(failure.status())
        }
    }
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp::fuzz::run(data));
