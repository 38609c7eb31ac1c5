/**
 * Answers that no identity provider should give.
 *
 * @module
 */
const MIB = 1024 * 1024;
const JSON_TYPE = { "content-type": "application/json" };

/** Answers of a provider that cannot be used, whichever endpoint they are. */
export const UNUSABLE: Readonly<Record<string, () => Response>> = {
  "500": () => Response.json({}, { status: 500 }),
  "502 that is not JSON": () => new Response("<p>bad gateway", { status: 502 }),
  "503": () => new Response(null, { status: 503 }),
  "a redirect (302)": () =>
    new Response(null, { status: 302, headers: { location: "/elsewhere" } }),
  "a redirect (307)": () =>
    new Response(null, { status: 307, headers: { location: "/elsewhere" } }),
  "a redirect (308) with a sound body": () =>
    Response.json({ keys: [] }, {
      status: 308,
      headers: { location: "/elsewhere" },
    }),
  "what is not JSON": () => new Response("{]", { headers: JSON_TYPE }),
  "nothing": () => new Response(null, { headers: JSON_TYPE }),
  "a list": () => Response.json([]),
  "null": () => Response.json(null),
  "bytes that are not UTF-8": () =>
    new Response(new Uint8Array([0x7b, 0xff]), { headers: JSON_TYPE }),
  "over 1 MiB": () =>
    new Response(`{"keys":[]}${" ".repeat(MIB)}`, { headers: JSON_TYPE }),
  "over 1 MiB once unpacked": packed,
  "a body without end": () => new Response(endless(), { headers: JSON_TYPE }),
};

/** A JSON text of 8 MiB that is small on the wire. */
function packed(): Response {
  const text = new Blob([`{"keys":[]}${" ".repeat(8 * MIB)}`]).stream();
  return new Response(text.pipeThrough(new CompressionStream("gzip")), {
    headers: { ...JSON_TYPE, "content-encoding": "gzip" },
  });
}

function endless(): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(64 * 1024).fill(0x20);
  return new ReadableStream({
    pull: (controller) => controller.enqueue(piece),
  });
}

/** An answer of a byte a second, without end. */
export function dripping(): Response {
  return new Response(drip(), { headers: JSON_TYPE });
}

function drip(): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setInterval>;
  return new ReadableStream({
    start(controller) {
      timer = setInterval(
        () => controller.enqueue(new Uint8Array([0x20])),
        1_000,
      );
    },
    cancel: () => clearInterval(timer),
  });
}

/** A listener that answers every connection with a body that breaks off. */
export function brokenListener(): { url: string; close: () => Promise<void> } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serve = async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(4_096));
      await connection.write(new TextEncoder().encode(
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
      ));
      connection.close();
    }
  };
  const served = serve();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    close: async () => {
      listener.close();
      await served;
    },
  };
}
