/**
 * An answer before it is sent: its headers are a plain record until they are
 * all there, since the runtime takes such a record in one step, where a
 * `Headers` object checks and copies every name and value again.
 *
 * @module
 */

/** Headers under their canonical spelling, each name once. */
export class HeaderDraft {
  readonly #values: Record<string, string> = {};

  set(name: string, value: string): void {
    this.#values[name] = value;
  }

  /** Adds to a list, as `Vary` is. */
  append(name: string, value: string): void {
    const held = this.#values[name];
    this.#values[name] = held === undefined ? value : `${held}, ${value}`;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  get(name: string): string | undefined {
    return this.#values[name];
  }

  /** What a `Response` is made with. */
  get record(): Record<string, string> {
    return this.#values;
  }
}

/** An answer that headers can still be added to. */
export interface Draft {
  readonly status: number;
  readonly headers: HeaderDraft;
  readonly body: BodyInit | null;
}

/** The answer, to which nothing can be added. */
export function toResponse({ status, headers, body }: Draft): Response {
  return new Response(body, { status, headers: headers.record });
}
