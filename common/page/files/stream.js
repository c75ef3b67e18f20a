// Asks the program. No request goes to another host.

/** The JSON at a path. Throws Error with the program's sentence. */
export async function ask(path) {
  return (await answer(path)).json();
}

/** The text at a path. */
export async function askText(path) {
  return (await answer(path)).text();
}

async function answer(path, signal) {
  const response = await fetch(path, { signal, cache: "no-store", credentials: "same-origin", redirect: "error" });
  if (response.status === 401) {
    location.reload(); // the session is over: the program shows its form for a token
  }
  if (!response.ok) {
    throw new Error((await response.text()).trim() || `the program answers ${response.status}`);
  }
  return response;
}

/** Calls take(name, data) for each server-sent event until the stream ends. Throws when it cannot be had. */
export async function follow(path, signal, take) {
  const reader = (await answer(path, signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    rest += piece.value;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const found = /^event: (.*)\ndata: (.*)$/.exec(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (found) {
        take(found[1], JSON.parse(found[2]));
      }
    }
  }
}
