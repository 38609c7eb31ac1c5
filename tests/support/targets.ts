/**
 * Targets of notices for tests: a real mail server, and a real receiver of
 * ntfy's and a webhook's requests, on this machine.
 *
 * @module
 */
import { SMTPServer } from "smtp-server";

/** A mail as the server took it, its text decoded. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly headers: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailServer {
  /** What `STRONGROOM_NOTIFY` is set to, for one operator. */
  readonly target: string;
  readonly mails: readonly Mail[];
  /** Resolves once so many mails have come. */
  readonly come: (count: number) => Promise<readonly Mail[]>;
  /** Whether mail is taken. */
  isOpen: boolean;
  /** Whether AUTH PLAIN, which is offered, is refused. */
  refusesPlain: boolean;
  /** How clients have signed in, or tried to. */
  readonly methods: string[];
}

/**
 * Has a mail server that wants a user and a password, for a test; with a
 * certificate it speaks TLS from the first byte, as `smtps:` does.
 */
export async function withMailServer(
  test: (server: MailServer) => Promise<void>,
  tls?: { readonly cert: string; readonly key: string },
): Promise<void> {
  const arrivals = new Arrivals<Mail>();
  const state: MailServer = {
    target: "",
    mails: arrivals.all,
    come: (count) => arrivals.come(count),
    isOpen: true,
    refusesPlain: false,
    methods: [],
  };
  const server = new SMTPServer({
    ...tls === undefined ? {} : { ...tls, secure: true },
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth({ method, username, password }, _session, done) {
      state.methods.push(method);
      if (method === "PLAIN" && state.refusesPlain) {
        return done(Object.assign(new Error("no"), { responseCode: 504 }));
      }
      if (username !== "keeper" || password !== "p@ss word") {
        return done(new Error("no"));
      }
      done(null, { user: username });
    },
    onMailFrom(_address, _session, done) {
      if (state.isOpen) return done();
      done(Object.assign(new Error("closed for now"), { responseCode: 451 }));
    },
    async onData(stream, session, done) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk as Uint8Array);
      const raw = new TextDecoder().decode(
        await new Blob(chunks as BlobPart[]).bytes(),
      );
      const { mailFrom, rcptTo } = session.envelope;
      arrivals.add(
        readMail(raw, {
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
        }),
      );
      done();
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const { port } = server.server.address() as { port: number };
  const user = "keeper:p%40ss%20word";
  const target =
    `${tls === undefined ? "smtp" : "smtps"}://${user}@127.0.0.1:${port}` +
    "?from=server@home.example&to=keeper@home.example" +
    (tls === undefined ? "&tls=off" : "");
  try {
    await test(Object.assign(state, { target }));
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

function readMail(
  raw: string,
  envelope: Pick<Mail, "from" | "to" | "user">,
): Mail {
  const end = raw.indexOf("\r\n\r\n");
  const headers = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, " ");
  const subject = /^Subject: (.*)$/m.exec(headers)?.[1] ?? "";
  const body = raw.slice(end + 4);
  const encoding = /^Content-Transfer-Encoding: (\S+)/m.exec(headers)?.[1];
  return {
    ...envelope,
    headers,
    subject: subject.replaceAll(
      /=\?UTF-8\?Q\?([^?]*)\?=\s*/gi,
      (_, words: string) => quoted(words.replaceAll("_", " ")),
    ).trim(),
    text: encoding === "quoted-printable"
      ? quoted(body.replaceAll("=\r\n", ""))
      : encoding === "base64"
      ? new TextDecoder().decode(
        Uint8Array.fromBase64(body.replaceAll(/\s/g, "")),
      )
      : body,
  };
}

function quoted(text: string): string {
  const bytes = text.replaceAll(
    /=([0-9A-F]{2})/g,
    (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
  );
  return new TextDecoder().decode(
    Uint8Array.from(bytes, (one) => one.charCodeAt(0)),
  );
}

/** A request as a receiver took it. */
interface Posted {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface Receiver {
  readonly origin: string;
  readonly posted: readonly Posted[];
  readonly come: (count: number) => Promise<readonly Posted[]>;
  /** With what requests are answered. */
  status: number;
}

/** Has an HTTP server that keeps what is posted to it, for a test. */
export async function withReceiver(
  test: (receiver: Receiver) => Promise<void>,
): Promise<void> {
  const arrivals = new Arrivals<Posted>();
  const state: Receiver = {
    origin: "",
    posted: arrivals.all,
    come: (count) => arrivals.come(count),
    status: 200,
  };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = await request.text();
      if (state.status < 300) {
        const { pathname: path } = new URL(request.url);
        arrivals.add({ path, headers: request.headers, body });
      }
      return new Response(null, { status: state.status });
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  try {
    await test(Object.assign(state, { origin }));
  } finally {
    await server.shutdown();
  }
}

class Arrivals<T> {
  readonly all: T[] = [];
  #waiting: { readonly count: number; readonly done: () => void }[] = [];

  add(one: T): void {
    this.all.push(one);
    for (const { count, done } of this.#waiting) {
      if (this.all.length >= count) done();
    }
  }

  async come(count: number): Promise<readonly T[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ count, done: resolve });
    if (this.all.length >= count) resolve();
    await promise;
    return this.all;
  }
}
