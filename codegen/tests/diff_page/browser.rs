//! A real browser, driven over pipes: Chrome's DevTools Protocol as JSON texts, each ended by a NUL byte.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A browser that says nothing for so long hangs. This is no claim about how fast pages are.
const SILENCE: Duration = Duration::from_secs(300);

/// The program, if there is one.
fn program() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("CHROMIUM") {
        return Some(given.into());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// A folder that goes when it is no longer needed.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("mcp-wire-page-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The last helpers of the browser may still be writing to their profile.
        for _ in 0..50 {
            if std::fs::remove_dir_all(&self.0).is_ok() || !self.0.exists() {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// A browser with one tab.
pub struct Browser {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    events: VecDeque<Value>,
    session: Option<String>,
    next: u64,
    folder: Folder,
}

impl Browser {
    /// Starts one. Without a browser on this machine it says so, and there is none.
    pub fn start() -> Option<Self> {
        let Some(program) = program() else {
            // Not by `eprintln!`: what a test prints is shown if it fails, and this should be seen if it does not.
            let line = b"skipped: no Chromium (install the package `chromium`, or set CHROMIUM)\n";
            std::io::stderr().write_all(line).expect("an open standard error");
            return None;
        };
        let folder = Folder::new();
        // The browser expects its pipes as descriptors 3 and 4, which the standard library does not hand out; the shell
        // moves them there.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#])
            .arg(&program)
            .args(["--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-component-update"])
            .args(["--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", folder.0.join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in output.split(0) {
                let Ok(message) = message else { return };
                let value = serde_json::from_slice(&message).expect("the browser writes JSON");
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let events = VecDeque::new();
        let mut browser = Self { child, input, messages, events, session: None, next: 0, folder };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    fn receive(&mut self) -> Value {
        match self.messages.recv_timeout(SILENCE) {
            Ok(message) => message,
            Err(RecvTimeoutError::Disconnected) => panic!("the browser closed its pipes: {:?}", self.child.wait()),
            Err(RecvTimeoutError::Timeout) => panic!("the browser has been silent for {SILENCE:?}"),
        }
    }

    /// Calls a method and waits for its result. Events that arrive meanwhile are kept.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let sent = self.input.as_mut().expect("open until the end").write_all(&bytes);
        sent.unwrap_or_else(|error| panic!("the browser does not take `{method}`: {error}"));
        loop {
            let mut answer = self.receive();
            if answer["id"] == self.next {
                assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            if answer.get("method").is_some() {
                self.events.push_back(answer);
            }
        }
    }

    /// Opens a page from a file, and waits until it is there. With a fragment, the page is loaded anew all the same.
    pub fn open(&mut self, html: &str, fragment: &str) -> String {
        let file = self.folder.0.join("page.html");
        std::fs::write(&file, html).expect("a writable folder");
        let address = format!("file://{}", file.display());
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.wait_for("Page.loadEventFired");
        self.events.clear();
        self.call("Page.navigate", json!({"url": format!("{address}{fragment}")}));
        self.wait_for("Page.loadEventFired");
        address
    }

    /// Loads the page again, as its address now is.
    pub fn reload(&mut self) {
        self.call("Page.reload", json!({}));
        self.wait_for("Page.loadEventFired");
    }

    fn wait_for(&mut self, event: &str) {
        // Everything that came before counts: the answer to a call may come after the event.
        let mut seen = 0;
        loop {
            if self.events.iter().skip(seen).any(|known| known["method"] == event) {
                // It is used up; the others stay for whoever asks.
                let position = self.events.iter().position(|known| known["method"] == event).expect("just seen");
                self.events.remove(position);
                return;
            }
            seen = self.events.len();
            let message = self.receive();
            self.events.push_back(message);
        }
    }

    /// The value of an expression, or of the promise that it is.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut result = self.call("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].take()
    }

    /// Waits for the frame after the next one: by then, everything that was asked for has been done.
    pub fn settle(&mut self) {
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, condition: &str) {
        self.evaluate(&format!(
            "new Promise(done => {{ const look = () => ({condition}) ? done() : setTimeout(look, 10); look(); }})"
        ));
    }

    /// A key, pressed and released.
    pub fn press(&mut self, key: &str, text: &str) {
        let code = if key == "Tab" { 9 } else { 0 };
        let mut params = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if !text.is_empty() {
            params["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", params.clone());
        params["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", params);
    }

    /// The size of the window, and whether it pretends to be a phone.
    pub fn resize(&mut self, width: u32, height: u32, mobile: bool) {
        let params = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        self.call("Emulation.setDeviceMetricsOverride", params);
        // The page has its new width once it has been drawn, and no reader follows a link before.
        self.settle();
    }

    /// Light or dark, as the reader prefers it.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// A picture of the window as PNG.
    pub fn screenshot(&mut self, path: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let text = picture["data"].as_str().expect("a picture");
        std::fs::write(path, decode_base64(text)).expect("a writable path");
    }

    /// What went wrong since the page was opened, and every address that was asked for.
    pub fn complaints_and_requests(&mut self) -> (Vec<String>, Vec<String>) {
        let (mut complaints, mut requests) = (Vec::new(), Vec::new());
        for event in &self.events {
            let params = &event["params"];
            match event["method"].as_str().expect("an event") {
                "Runtime.exceptionThrown" => complaints.push(params.to_string()),
                "Runtime.consoleAPICalled" if params["type"] != "log" => complaints.push(params.to_string()),
                "Log.entryAdded" if params["entry"]["level"] != "info" => complaints.push(params.to_string()),
                "Network.requestWillBeSent" => {
                    requests.push(params["request"]["url"].as_str().expect("an address").to_owned());
                }
                _ => {}
            }
        }
        (complaints, requests)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Without its pipe the browser leaves by itself; it is given some time to take its helpers along.
        self.input = None;
        for _ in 0..50 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn decode_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b'=').map(digit).collect();
    let mut bytes = Vec::new();
    for chunk in digits.chunks(4) {
        let bits = chunk.iter().fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit)) << (6 * (4 - chunk.len()));
        bytes.extend(&bits.to_be_bytes()[1..chunk.len()]);
    }
    bytes
}
