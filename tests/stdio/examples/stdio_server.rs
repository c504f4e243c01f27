//! A server over stdio with two tools, a resource and a prompt, which speaks every revision of the protocol.
//!
//! The handlers are written once, as a macro over the revisions: their types have the same names everywhere, and the
//! `Request` trait knows what each revision takes and gives. All that differs is how a client and a server meet: by
//! `initialize` up to 2025-11-25, by a version in every request from 2026-07-28 on.

use std::io;
use std::pin::Pin;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use mcp_wire::framing::{DEFAULT_LIMIT, Frame, MessageReader, write_message};
use mcp_wire::{
    Connection, Context, Declared, ErrorObject, Handled, Json, JsonObject, JsonRef, Opening, Rejection, Request,
    Response, Revision, negotiate, negotiate_request, proposal,
};

/// What the server has to offer, whatever the revision.
struct Shop;

impl Shop {
    const NAME: &str = "mcp-wire-example";
    const GUIDE: &str = "docs://guide";

    /// Adds two numbers.
    fn add(arguments: &JsonObject) -> Handled<String> {
        let number = |name: &str| arguments.get(name).and_then(JsonRef::as_f64);
        match (number("a"), number("b")) {
            (Some(a), Some(b)) => Ok((a + b).to_string()),
            _ => Err(ErrorObject::invalid_params("`add` needs the numbers `a` and `b`")),
        }
    }

    /// Counts slowly, tells how far it has come, and stops when it is told to.
    fn count(arguments: &JsonObject, context: &Context) -> Handled<String> {
        let to = arguments.get("to").and_then(JsonRef::as_u64).unwrap_or(3).min(1000);
        for number in 1..=to {
            if context.is_cancelled() {
                return Err(ErrorObject::internal("cancelled"));
            }
            // A client that did not ask for progress gets none, which is no reason to stop.
            let _ = context.progress(number, Some(to.into()), Some("counting"));
            thread::sleep(Duration::from_millis(20));
        }
        Ok(format!("counted to {to}"))
    }
}

/// The handlers of one revision: what differs stands in braces, then what the constructors of lists ask for besides.
macro_rules! serve {
    ($revision:ident { $($meet:tt)* } $($cache:expr),*) => {
        mod $revision {
            use mcp_wire::$revision::*;

            use super::{Request, Shop};

            type Params<R> = <R as Request>::Params;
            type Answer<R> = Handled<<R as Request>::Result>;

            pub fn capabilities() -> ServerCapabilities {
                ServerCapabilities::new()
                    .with_tools(ServerCapabilitiesTools::new())
                    .with_resources(ServerCapabilitiesResources::new())
                    .with_prompts(ServerCapabilitiesPrompts::new())
            }

            fn schema(properties: Json) -> Handled<ToolInputSchema> {
                Ok(json_value!({ "type": "object", "properties": properties }).parse()?)
            }

            impl ServerHandler for Shop {
                $($meet)*

                async fn list_tools(&self, _: Params<ListToolsRequest>, _: &Context) -> Answer<ListToolsRequest> {
                    let add = schema(json_value!({ "a": { "type": "number" }, "b": { "type": "number" } }))?;
                    let count = schema(json_value!({ "to": { "type": "integer", "minimum": 1 } }))?;
                    let tools = vec![
                        Tool::new("add", add).with_description("Add two numbers"),
                        Tool::new("count", count).with_description("Count slowly, with progress"),
                    ];
                    Ok(ListToolsResult::new(tools, $($cache),*))
                }

                async fn call_tool(&self, params: Params<CallToolRequest>, context: &Context) -> Answer<CallToolRequest> {
                    let arguments = params.arguments.unwrap_or_default();
                    let text = match params.name.as_str() {
                        "add" => Shop::add(&arguments)?,
                        "count" => Shop::count(&arguments, context)?,
                        other => return Err(ErrorObject::invalid_params(format!("Unknown tool: {other}"))),
                    };
                    Ok(CallToolResult::new(vec![TextContent::new(text).into()]).into())
                }

                async fn list_resources(&self, _: Params<ListResourcesRequest>, _: &Context) -> Answer<ListResourcesRequest> {
                    let guide = Resource::new(Shop::GUIDE, "guide").with_mime_type("text/plain");
                    Ok(ListResourcesResult::new(vec![guide], $($cache),*))
                }

                async fn read_resource(&self, params: Params<ReadResourceRequest>, _: &Context) -> Answer<ReadResourceRequest> {
                    if params.uri != Shop::GUIDE {
                        let error = ErrorObject::new(error_codes::RESOURCE_NOT_FOUND, "Resource not found");
                        return Err(error.with_data(json_object! { "uri": params.uri }));
                    }
                    let text = TextResourceContents::new(Shop::GUIDE, "Call `add` or `count`.");
                    Ok(ReadResourceResult::new(vec![text.into()], $($cache),*).into())
                }

                async fn list_prompts(&self, _: Params<ListPromptsRequest>, _: &Context) -> Answer<ListPromptsRequest> {
                    let sum = Prompt::new("sum").with_description("Ask for a sum");
                    Ok(ListPromptsResult::new(vec![sum], $($cache),*))
                }

                async fn get_prompt(&self, params: Params<GetPromptRequest>, _: &Context) -> Answer<GetPromptRequest> {
                    if params.name != "sum" {
                        return Err(ErrorObject::invalid_params(format!("Unknown prompt: {}", params.name)));
                    }
                    let question = TextContent::new("How much is 2 + 3?");
                    Ok(GetPromptResult::new(vec![PromptMessage::new(Role::User, question)]).into())
                }
            }
        }

        impl Session for mcp_wire::Connection<mcp_wire::$revision::ServerSide> {
            fn take<'a>(&'a self, message: &[u8]) -> Work<'a> {
                Box::pin(self.dispatch(&Shop, message))
            }
        }
    };
    // All revisions in which a connection is opened by a handshake.
    (handshake: $($revision:ident)*) => {$(
        serve! { $revision {
            async fn initialize(&self, _: Params<InitializeRequest>, _: &Context) -> Answer<InitializeRequest> {
                Ok(InitializeResult::new(REVISION, capabilities(), Implementation::new(Shop::NAME, "1.0.0")))
            }
        } }
    )*};
}

serve! { handshake: v2024_11_05 v2025_03_26 v2025_06_18 v2025_11_25 }

serve! { v2026_07_28 {
    async fn discover(&self, _: Params<DiscoverRequest>, _: &Context) -> Answer<DiscoverRequest> {
        let server = ResultMetaObject::new().with_server_info(Implementation::new(Shop::NAME, "1.0.0"));
        let result = DiscoverResult::new(capabilities(), vec![REVISION.to_owned()], 0, CacheScope::Private);
        Ok(result.with_meta(server))
    }
} 0, CacheScope::Private }

/// What is left to do about a message, and the answer it ends with.
type Work<'a> = Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>>;

/// A connection in some revision.
trait Session: Sync {
    fn take<'a>(&'a self, message: &[u8]) -> Work<'a>;
}

fn main() -> io::Result<()> {
    let (out, lines) = mpsc::channel::<String>();
    let writer =
        thread::spawn(move || lines.iter().try_for_each(|line| write_message(&mut io::stdout(), line.as_bytes())));
    // Only the session that the client asks for will be used.
    macro_rules! sessions {
        ($($variant:ident $revision:ident)*) => {
            [$({
                let out = out.clone();
                let capabilities = mcp_wire::$revision::ClientCapabilities::new();
                let connection = Connection::<mcp_wire::$revision::ServerSide>::new(move |line| drop(out.send(line)))
                    .with_gates(Declared::new(&capabilities, &$revision::capabilities()));
                (Revision::$variant, Box::new(connection) as Box<dyn Session>)
            }),*]
        };
    }
    let sessions = sessions! {
        V2024_11_05 v2024_11_05 V2025_03_26 v2025_03_26 V2025_06_18 v2025_06_18 V2025_11_25 v2025_11_25
        V2026_07_28 v2026_07_28
    };
    let mut agreed = proposal(Revision::ALL).cloned().unwrap_or(Revision::LATEST);
    thread::scope(|scope| {
        for frame in MessageReader::new(io::stdin().lock()) {
            let message = match frame? {
                Frame::Message(message) => message,
                Frame::TooLong(_) => {
                    Rejection::too_long(DEFAULT_LIMIT).to_text().map(|line| out.send(line));
                    continue;
                }
            };
            let opening = Opening::of(&message);
            let chosen = match opening.version {
                Some(version) if opening.is_handshake => negotiate(&version.into(), Revision::ALL),
                Some(version) => negotiate_request(&version.into(), Revision::ALL),
                None => Ok(agreed.clone()),
            };
            let revision = match (chosen, opening.id) {
                (Ok(revision), _) => revision,
                (Err(unsupported), id) => {
                    let refuse = |id| Response::<Json>::new(id, Err(unsupported.into())).to_text();
                    id.map(refuse).map(|line| out.send(line));
                    continue;
                }
            };
            // Notifications do not name a version: they belong to what was spoken last.
            agreed = revision.clone();
            if let Some((_, session)) = sessions.iter().find(|(known, _)| *known == revision) {
                // The message is noted at once, in the order it came; the work goes on beside that on other messages.
                let (work, out) = (session.take(&message), out.clone());
                scope.spawn(move || pollster::block_on(work).map(|answer| out.send(answer)));
            }
        }
        io::Result::Ok(())
    })?;
    // The end of input is the end of the session: what is being worked on has been answered, the writer may stop.
    drop((sessions, out));
    writer.join().unwrap_or(Ok(()))
}
