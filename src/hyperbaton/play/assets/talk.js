// What the page asks the server: an answer, or lines of JSON as they come.

import { has, t } from "./texts.js";

// What the server refused, in the language of the page where it is a mistake of the reader; else in English.
async function refused(response) {
  const text = await response.text();
  const { said, key, values } = response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : { said: text };
  const known = has(key);
  return Object.assign(new Error(known ? t(key, values) : said), { status: response.status, language: known ? "" : "en" });
}

async function request(name, content, signal) {
  const response = await fetch(`api/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
    signal,
  });
  if (!response.ok) throw await refused(response);
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
