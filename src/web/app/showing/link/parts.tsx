/**
 * Parts that the pages of links share: asking for a passphrase, and counting
 * down while the server asks to wait.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { now } from "../../../browser.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { faultText } from "../../faults.ts";
import { Button } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Logo } from "../../parts/logo.tsx";
import { messages } from "../../messages.ts";

/** Asks for the passphrase of a link until `open` takes one. */
export function PassphraseForm(
  { open, children }: {
    readonly open: (passphrase: string) => Promise<void>;
    /** The facts known before the link is open. */
    readonly children?: ComponentChildren;
  },
) {
  const { link } = messages.value;
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      await open(typed).catch(async (error) => {
        // Phones begin with a capital, and words were agreed on by voice.
        const lower = typed.toLowerCase();
        if (lower === typed || !isWrong(error)) throw error;
        await open(lower);
      });
    } catch (error) {
      setFault(isWrong(error) ? link.passphraseWrong : faultText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main class="card-page">
      <Form class="card" onSubmit={submit}>
        <Logo />
        <h1>{link.passphraseTitle}</h1>
        {children}
        <p class="quiet">{link.passphraseHint}</p>
        <Field
          label={link.passphrase}
          type="password"
          autocomplete="off"
          autofocus
          required
          value={typed}
          fault={fault}
          onInput={(text) => {
            setTyped(text);
            setFault(undefined);
          }}
        />
        <Button kind="main" type="submit" busy={busy}>{link.open}</Button>
      </Form>
    </main>
  );
}

function isWrong(error: unknown): boolean {
  return error instanceof ThreadError && error.fault.kind === "EscrowError" &&
    error.fault.fault === "passphrase_wrong";
}

/** Counts down until the next request. */
export function WaitingLine(
  { until, text }: {
    /** Milliseconds since the epoch. */
    readonly until: number;
    readonly text: (given: { readonly seconds: number }) => string;
  },
) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <p class="link-waiting banner warn" role="status">
      {text({ seconds: Math.max(1, Math.ceil((until - now()) / 1_000)) })}
    </p>
  );
}
