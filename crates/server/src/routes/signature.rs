//! What a handler takes and answers, read from its signature: what a page is told of a route is what it does.

use super::failure::Failure;
use super::handlers::{Body, Tagged, Text};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::{Extension, Json};
use specta::datatype::DataType;
use specta::{Type, Types};

/// What a handler takes and answers.
pub(super) struct Signature {
    /// The body that it reads; `None` where it reads none.
    pub(super) body: Option<DataType>,
    pub(super) answer: Answered,
}

/// What is answered where nothing is wrong.
pub(super) enum Answered {
    Nothing,
    Is(DataType),
    /// A file, a page elsewhere, a socket: its form is not said by a type.
    Unsaid,
}

/// What the signature of a handler says.
pub(super) fn of<A, H: Handler<A>>(_: &H, types: &mut Types) -> Signature {
    H::signature(types)
}

/// A handler with these arguments.
pub(super) trait Handler<A> {
    fn signature(types: &mut Types) -> Signature;
}

macro_rules! handlers {
    ($($argument:ident)*) => {
        impl<F, Done, $($argument: Argument),*> Handler<($($argument,)*)> for F
        where
            F: Fn($($argument),*) -> Done,
            Done: Future<Output: Answer>,
        {
            fn signature(types: &mut Types) -> Signature {
                let body = None;
                $(let body = body.or_else(|| $argument::body(types));)*
                Signature { body, answer: Done::Output::answered(types) }
            }
        }
    };
}

handlers!();
handlers!(A);
handlers!(A B);
handlers!(A B C);
handlers!(A B C D);
handlers!(A B C D E);
handlers!(A B C D E G);
handlers!(A B C D E G H);

/// An argument of a handler.
pub(super) trait Argument {
    /// The body, if the argument is that.
    fn body(_: &mut Types) -> Option<DataType> {
        None
    }
}

impl<T> Argument for State<T> {}
impl<T> Argument for Extension<T> {}
impl<T> Argument for Option<Extension<T>> {}
impl<T> Argument for Path<T> {}
impl<T> Argument for Query<T> {}
impl Argument for HeaderMap {}
impl Argument for WebSocketUpgrade {}

impl<T: Argument, E> Argument for Result<T, E> {
    fn body(types: &mut Types) -> Option<DataType> {
        T::body(types)
    }
}

impl<T: Type> Argument for Body<T> {
    fn body(types: &mut Types) -> Option<DataType> {
        Some(T::definition(types))
    }
}

impl<T: Type> Argument for Form<T> {
    fn body(types: &mut Types) -> Option<DataType> {
        Some(T::definition(types))
    }
}

/// What a handler comes to.
pub(super) trait Answer {
    fn answered(types: &mut Types) -> Answered;
}

impl<T: Answer> Answer for Result<T, Failure> {
    fn answered(types: &mut Types) -> Answered {
        T::answered(types)
    }
}

impl<T: Type> Answer for Json<T> {
    fn answered(types: &mut Types) -> Answered {
        Answered::Is(T::definition(types))
    }
}

impl<T: Type> Answer for (StatusCode, Json<T>) {
    fn answered(types: &mut Types) -> Answered {
        Json::<T>::answered(types)
    }
}

impl<T: Type> Answer for (HeaderMap, Json<T>) {
    fn answered(types: &mut Types) -> Answered {
        Json::<T>::answered(types)
    }
}

impl<T: Type> Answer for Tagged<T> {
    fn answered(types: &mut Types) -> Answered {
        Json::<T>::answered(types)
    }
}

impl Answer for Text {
    fn answered(types: &mut Types) -> Answered {
        Json::<String>::answered(types)
    }
}

impl Answer for StatusCode {
    fn answered(_: &mut Types) -> Answered {
        Answered::Nothing
    }
}

impl Answer for Response {
    fn answered(_: &mut Types) -> Answered {
        Answered::Unsaid
    }
}
