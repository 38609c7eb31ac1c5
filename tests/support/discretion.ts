/**
 * Watches the log of every story: what its requests held that is secret must
 * not stand there (watching/log.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { LogLine, SendOptions } from "./app.ts";

/** Fields of a body whose text only client and server may know. */
const SECRET_FIELDS = /address|password|code|token|secret|proof|state$|comment/;
/** Paths whose first group is a link's id, or a code. */
const LINK = /^\/(?:v1\/)?(?:s|shares?|u|upload-links?|g)\/([^/?#]{8,})/;
/** A word shorter than this may stand anywhere. */
const MIN_LENGTH = 6;
/** Written by the server alone. */
const OWN = new Set(["operation", "code", "request_id"]);

export class Discretion {
  readonly #secrets = new Set<string>();

  /** Takes note of what a request holds that is secret. */
  note(path: string, sent: SendOptions): void {
    if (sent.token !== undefined && sent.token.length >= MIN_LENGTH) {
      this.#secrets.add(sent.token);
    }
    const link = LINK.exec(path)?.[1];
    if (link !== undefined) this.#secrets.add(link);
    this.#noteFields(sent.json);
  }

  #noteFields(value: unknown, depth = 0): void {
    if (typeof value !== "object" || value === null || depth > 3) return;
    for (const [name, field] of Object.entries(value)) {
      if (typeof field !== "string") this.#noteFields(field, depth + 1);
      else if (SECRET_FIELDS.test(name) && field.length >= MIN_LENGTH) {
        this.#secrets.add(field);
      }
    }
  }

  /** Fails where the log tells a secret. */
  expectKept(logged: readonly LogLine[]): void {
    const said = logged.flatMap(({ message, properties }) => [
      message,
      ...Object.entries(properties).flatMap(([name, value]) =>
        OWN.has(name) || typeof value !== "string" ? [] : [value]
      ),
    ]).join("\n");
    for (const secret of this.#secrets) {
      assert(!said.includes(secret), `the log tells ${secret}:\n${said}`);
    }
  }
}
