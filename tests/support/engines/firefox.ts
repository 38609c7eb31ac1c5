/**
 * Debian's Firefox, told what to do over Marionette, the protocol of its own
 * that geckodriver speaks.
 *
 * @module
 */
import { debianProgram } from "../debian.ts";
import {
  closeOthers,
  elementId,
  endProcess,
  type Engine,
  finger,
  type Json,
  patiently,
  type Window,
  type WindowOptions,
} from "./engine.ts";

/** Undefined where there is none, which is said. */
export async function firefox(): Promise<Engine | undefined> {
  const program = await debianProgram("firefox-esr", "firefox-esr");
  return program === undefined
    ? undefined
    : { name: "Firefox", start: (options) => start(program, options) };
}

function preferences({ proxy }: WindowOptions, downloads: string): string {
  const [host, port] = proxy.split(":");
  const all = {
    "marionette.port": 0,
    "network.proxy.type": 1,
    "network.proxy.http": host,
    "network.proxy.http_port": Number(port),
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "app.update.auto": false,
    "browser.startup.page": 0,
    "browser.aboutwelcome.enabled": false,
    "toolkit.telemetry.enabled": false,
    "dom.disable_open_during_load": false,
    "media.autoplay.default": 0,
    "dom.w3c_touch_events.enabled": 1,
    "browser.download.folderList": 2,
    "browser.download.dir": downloads,
    "browser.download.always_ask_before_handling_new_types": false,
  };
  return Object.entries(all).map(([name, value]) =>
    `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`
  ).join("");
}

async function start(
  program: string,
  options: WindowOptions,
): Promise<Window> {
  const profile = await Deno.makeTempDir({ prefix: "strongroom-firefox-" });
  const downloads = `${profile}/downloads`;
  await Deno.mkdir(downloads);
  await Deno.writeTextFile(
    `${profile}/user.js`,
    preferences(options, downloads),
  );
  const child = new Deno.Command(program, {
    args: [
      "--headless",
      "--marionette",
      "--remote-allow-system-access",
      "--no-remote",
      "--profile",
      profile,
    ],
    env: { HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const end = async () => {
    await endProcess(child);
    await Deno.remove(profile, { recursive: true }).catch(() => undefined);
  };
  try {
    const port = Number(
      await patiently(() =>
        Deno.readTextFile(`${profile}/MarionetteActivePort`)
      ),
    );
    const marionette = new Marionette(
      await patiently(() => Deno.connect({ hostname: "127.0.0.1", port })),
    );
    await marionette.greeting();
    await marionette.send("WebDriver:NewSession", {});
    return windowOf(marionette, downloads, end);
  } catch (error) {
    await end();
    throw error;
  }
}

function windowOf(
  marionette: Marionette,
  downloads: string,
  end: () => Promise<void>,
): Window {
  const send = marionette.send.bind(marionette);
  /** Runs a function's body in the browser itself, around the page. */
  const around = async (script: string, ...args: Json[]) => {
    await send("Marionette:SetContext", { value: "chrome" });
    await send("WebDriver:ExecuteScript", { script, args });
    await send("Marionette:SetContext", { value: "content" });
  };
  return {
    async open(url) {
      await send("WebDriver:Navigate", { url });
    },
    async reload() {
      await send("WebDriver:Refresh", {});
    },
    async back() {
      await send("WebDriver:Back", {});
    },
    async run(script, ...args) {
      const { value } = await send("WebDriver:ExecuteScript", { script, args });
      return value;
    },
    async click(element) {
      await send("WebDriver:ElementClick", { id: elementId(element) });
    },
    async type(element, text) {
      const id = elementId(element);
      await send("WebDriver:ElementSendKeys", { id, text });
    },
    async resize(width, height) {
      await send("WebDriver:SetWindowRect", { width, height: height + 200 });
      // A window is never as narrow as a phone; what it shows can be.
      await around(
        `const { style } = gBrowser.selectedBrowser;
        style.maxWidth = arguments[0] + "px";
        style.maxHeight = arguments[1] + "px";`,
        width,
        height,
      );
      await patiently(async () => {
        const script = "return [innerWidth, innerHeight].join()";
        const { value } = await send("WebDriver:ExecuteScript", { script });
        if (value !== `${width},${height}`) throw new Error(`it is ${value}`);
      });
    },
    async hold(element, ms) {
      const actions = finger(element, ms);
      await send("WebDriver:PerformActions", { actions });
      await send("WebDriver:ReleaseActions", {});
    },
    closeOthers: () =>
      closeOthers({
        all: () => send("WebDriver:GetWindowHandles", {}),
        current: async () =>
          (await send("WebDriver:GetWindowHandle", {})).value,
        turnTo: (handle) => send("WebDriver:SwitchToWindow", { handle }),
        close: () => send("WebDriver:CloseWindow", {}),
      }),
    downloads,
    async picture() {
      const answer = await send("WebDriver:TakeScreenshot", { full: false });
      return Uint8Array.fromBase64(answer.value);
    },
    async close() {
      marionette.close();
      await end();
    },
  };
}

/** Messages, each behind its length and a colon. */
class Marionette {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #held = new Uint8Array();
  #number = 0;

  constructor(private readonly connection: Deno.Conn) {
    this.#reader = connection.readable.getReader();
  }

  async greeting(): Promise<void> {
    await this.#receive();
  }

  async send(command: string, given: Json): Promise<Json> {
    const number = ++this.#number;
    const message = new TextEncoder().encode(
      JSON.stringify([0, number, command, given]),
    );
    const head = new TextEncoder().encode(`${message.length}:`);
    let rest = new Uint8Array([...head, ...message]);
    while (rest.length > 0) {
      rest = rest.subarray(await this.connection.write(rest));
    }
    const [, answered, error, result] = await this.#receive();
    if (answered !== number) throw new Error("Firefox answered out of turn");
    if (error !== null) {
      throw new Error(`${command}: ${error.error}: ${error.message}`);
    }
    return result;
  }

  async #receive(): Promise<Json> {
    for (;;) {
      const colon = this.#held.indexOf(0x3a);
      if (colon > 0) {
        const head = new TextDecoder().decode(this.#held.subarray(0, colon));
        const end = colon + 1 + Number(head);
        if (this.#held.length >= end) {
          const message = this.#held.subarray(colon + 1, end);
          this.#held = this.#held.slice(end);
          return JSON.parse(new TextDecoder().decode(message));
        }
      }
      const { value, done } = await this.#reader.read();
      if (done) throw new Error("Firefox has ended");
      const joined = new Uint8Array(this.#held.length + value.length);
      joined.set(this.#held);
      joined.set(value, this.#held.length);
      this.#held = joined;
    }
  }

  close(): void {
    this.#reader.cancel().catch(() => undefined);
  }
}
