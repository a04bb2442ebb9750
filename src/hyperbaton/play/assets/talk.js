// What the page asks the server: an answer, or lines of JSON as they come.

async function request(name, content, signal) {
  const response = await fetch(`api/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
    signal,
  });
  if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
  return response;
}

export async function ask(name, content = {}) {
  return (await request(name, content)).json();
}

// Calls `take` with each object; ends when the server does, or throws an AbortError.
export async function listen(name, content, take, signal) {
  const response = await request(name, content, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) take(JSON.parse(line));
  }
}
