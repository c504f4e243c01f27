//! Handlers: what somebody does with the messages of a side, as a trait, as a trait of one thread, and as an object.

use std::pin::Pin;

/// A future that can be polled on any thread.
#[doc(hidden)]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What params are held in: themselves, or a box.
#[doc(hidden)]
pub trait Held<T> {
    /// The params.
    fn held(self) -> T;
}

impl<T> Held<T> for T {
    fn held(self) -> T {
        self
    }
}

impl<T> Held<T> for Box<T> {
    fn held(self) -> T {
        *self
    }
}

/// Makes the handlers of a side of a table: a row for each method, with its params, its result, and what it answers unless it
/// is overridden.
#[doc(hidden)]
#[macro_export]
macro_rules! __handler {
    (
        $(#[doc = $about:literal])*
        $Handler:ident, $LocalHandler:ident, $DynHandler:ident for $Side:ident,
        requests $Request:ident {
            $($(#[$doc:meta])* $variant:ident => $name:ident($params:ty) -> $result:ty = $default:expr,)*
        }
        notifications $Notification:ident {
            $($(#[$note_doc:meta])* $note_variant:ident => $note:ident($note_params:ty),)*
        }
        results $Result:ident
    ) => {
        $(#[doc = $about])*
        ///
        /// Each method has a default: a request is answered as its method says, as a rule with -32601, method not found; a
        /// notification is ignored. A method that panics costs its own message only: a request is answered with -32603, internal
        /// error.
        ///
        /// Implementations write `async fn`. The futures are `Send`, so that any runtime can spawn the work;
        #[doc = concat!("[`", stringify!($LocalHandler), "`] is for those that are not. A handler whose type is not known is a")]
        #[doc = concat!("`dyn `[`", stringify!($DynHandler), "`].")]
        pub trait $Handler: Send + Sync + 'static {
            $(
                $(#[$doc])*
                fn $name(
                    &self,
                    params: $params,
                    context: &$crate::Context,
                ) -> impl Future<Output = $crate::Handled<$result>> + Send {
                    let _ = (params, context);
                    $default
                }
            )*

            $(
                $(#[$note_doc])*
                fn $note(&self, params: $note_params, peer: &$crate::Peer) -> impl Future<Output = ()> + Send {
                    let _ = (params, peer);
                    async {}
                }
            )*

            $crate::__handler!(@others [+ Send] $Result);
        }

        #[doc = concat!("A [`", stringify!($Handler), "`] whose futures need not be `Send`: for a single thread, and for WebAssembly.")]
        ///
        #[doc = concat!("The methods are those of [`", stringify!($Handler), "`], and every one of those is one of these, too.")]
        pub trait $LocalHandler {
            $(
                $(#[$doc])*
                fn $name(
                    &self,
                    params: $params,
                    context: &$crate::Context,
                ) -> impl Future<Output = $crate::Handled<$result>> {
                    let _ = (params, context);
                    $default
                }
            )*

            $(
                $(#[$note_doc])*
                fn $note(&self, params: $note_params, peer: &$crate::Peer) -> impl Future<Output = ()> {
                    let _ = (params, peer);
                    async {}
                }
            )*

            $crate::__handler!(@others [] $Result);
        }

        #[doc = concat!("A [`", stringify!($Handler), "`] whose type is not known: `Arc<dyn ", stringify!($DynHandler), ">`, for a gateway")]
        /// that keeps many of them in one list. Every handler is one.
        pub trait $DynHandler: Send + Sync {
            #[doc(hidden)]
            fn request<'a>(
                &'a self,
                request: $Request,
                context: &'a $crate::Context,
            ) -> $crate::__private::BoxFuture<'a, $crate::__private::Answer>;

            #[doc(hidden)]
            fn notification<'a>(
                &'a self,
                notification: $Notification,
                peer: &'a $crate::Peer,
            ) -> $crate::__private::BoxFuture<'a, ()>;

            #[doc(hidden)]
            fn response<'a>(
                &'a self,
                method: &'a str,
                response: $crate::Response<$Result>,
            ) -> $crate::__private::BoxFuture<'a, ()>;

            #[doc(hidden)]
            fn rejected(&self, rejection: &$crate::Rejection);
        }

        impl<H: $Handler> $LocalHandler for H {
            $(
                fn $name(
                    &self,
                    params: $params,
                    context: &$crate::Context,
                ) -> impl Future<Output = $crate::Handled<$result>> {
                    <H as $Handler>::$name(self, params, context)
                }
            )*

            $(
                fn $note(&self, params: $note_params, peer: &$crate::Peer) -> impl Future<Output = ()> {
                    <H as $Handler>::$note(self, params, peer)
                }
            )*

            fn other_request(
                &self,
                method: String,
                params: Option<$crate::Json>,
                context: &$crate::Context,
            ) -> impl Future<Output = $crate::Handled<$crate::Json>> {
                <H as $Handler>::other_request(self, method, params, context)
            }

            fn other_notification(
                &self,
                method: String,
                params: Option<$crate::Json>,
                peer: &$crate::Peer,
            ) -> impl Future<Output = ()> {
                <H as $Handler>::other_notification(self, method, params, peer)
            }

            fn response(&self, method: &str, response: $crate::Response<$Result>) -> impl Future<Output = ()> {
                <H as $Handler>::response(self, method, response)
            }

            fn rejected(&self, rejection: &$crate::Rejection) {
                <H as $Handler>::rejected(self, rejection);
            }
        }

        const _: () = {
            use $crate::__private as wire;

            impl<H: $LocalHandler> wire::Handles<H> for $Side {
                async fn request(handler: &H, request: $Request, context: &$crate::Context) -> wire::Answer {
                    match request {
                        $($Request::$variant(params) => {
                            context.answer(handler.$name(wire::Held::held(params), context).await)
                        })*
                        $Request::Other { method, params } => {
                            context.answer(handler.other_request(method, params, context).await)
                        }
                    }
                }

                async fn notification(handler: &H, notification: $Notification, peer: &$crate::Peer) {
                    match notification {
                        $($Notification::$note_variant(params) => handler.$note(wire::Held::held(params), peer).await,)*
                        $Notification::Other { method, params } => handler.other_notification(method, params, peer).await,
                    }
                }

                async fn response(handler: &H, method: &str, response: $crate::Response<$Result>) {
                    handler.response(method, response).await;
                }

                fn rejected(handler: &H, rejection: &$crate::Rejection) {
                    handler.rejected(rejection);
                }
            }

            impl<H: $Handler> $DynHandler for H {
                fn request<'a>(
                    &'a self,
                    request: $Request,
                    context: &'a $crate::Context,
                ) -> wire::BoxFuture<'a, wire::Answer> {
                    Box::pin(<$Side as wire::Handles<H>>::request(self, request, context))
                }

                fn notification<'a>(
                    &'a self,
                    notification: $Notification,
                    peer: &'a $crate::Peer,
                ) -> wire::BoxFuture<'a, ()> {
                    Box::pin(<$Side as wire::Handles<H>>::notification(self, notification, peer))
                }

                fn response<'a>(
                    &'a self,
                    method: &'a str,
                    response: $crate::Response<$Result>,
                ) -> wire::BoxFuture<'a, ()> {
                    Box::pin(<H as $Handler>::response(self, method, response))
                }

                fn rejected(&self, rejection: &$crate::Rejection) {
                    <H as $Handler>::rejected(self, rejection);
                }
            }

            impl wire::Handles<dyn $DynHandler> for $Side {
                async fn request(
                    handler: &(dyn $DynHandler + 'static),
                    request: $Request,
                    context: &$crate::Context,
                ) -> wire::Answer {
                    handler.request(request, context).await
                }

                async fn notification(
                    handler: &(dyn $DynHandler + 'static),
                    notification: $Notification,
                    peer: &$crate::Peer,
                ) {
                    handler.notification(notification, peer).await;
                }

                async fn response(
                    handler: &(dyn $DynHandler + 'static),
                    method: &str,
                    response: $crate::Response<$Result>,
                ) {
                    handler.response(method, response).await;
                }

                fn rejected(handler: &(dyn $DynHandler + 'static), rejection: &$crate::Rejection) {
                    handler.rejected(rejection);
                }
            }
        };
    };

    (@others [$($send:tt)*] $Result:ident) => {
        /// A request with a method that this revision does not know, of an extension for instance.
        fn other_request(
            &self,
            method: String,
            params: Option<$crate::Json>,
            context: &$crate::Context,
        ) -> impl Future<Output = $crate::Handled<$crate::Json>> $($send)* {
            let _ = (params, context);
            async move { Err($crate::ErrorObject::method_not_found(&method)) }
        }

        /// A notification with a method that this revision does not know.
        fn other_notification(
            &self,
            method: String,
            params: Option<$crate::Json>,
            peer: &$crate::Peer,
        ) -> impl Future<Output = ()> $($send)* {
            let _ = (method, params, peer);
            async {}
        }

        /// The answer to something that this side has asked with [`Connection::ask`](mcp_wire_core::Connection::ask).
        fn response(&self, method: &str, response: $crate::Response<$Result>) -> impl Future<Output = ()> $($send)* {
            let _ = (method, response);
            async {}
        }

        /// A message that was refused, or that answers nothing: something to log. Where it is the answer to something that this
        /// side has asked, [`Refused::answers`](mcp_wire_core::Refused::answers) has the id: no other answer will come.
        fn rejected(&self, rejection: &$crate::Rejection) {
            let _ = rejection;
        }
    };
}
