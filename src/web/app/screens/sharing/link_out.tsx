/**
 * A link to hand out: sent, copied, or shown as a code.
 *
 * @module
 */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { OnlyHere } from "../../parts/only_here.tsx";
import { toast } from "../../parts/toasts.tsx";
import { messages } from "../../messages.ts";
import { copyField } from "./copying.ts";
import { QrCode } from "./qr_code.tsx";

/** For so long a button says what it did. */
const SAID_MS = 2_500;

/** The address, and what can be done with it. */
export function LinkOut(
  { url, title, showsCode = false }: {
    readonly url: string;
    readonly title: string;
    readonly showsCode?: boolean;
  },
) {
  const { sharing } = messages.value;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState(showsCode);
  const [copies, setCopies] = useState(0);
  useEffect(() => {
    if (copies === 0) return;
    const timer = setTimeout(() => setCopies(0), SAID_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = async () => {
    if (field.current === null) return;
    const done = await copyField(field.current);
    if (done) setCopies((n) => n + 1);
    toast(done ? sharing.copied : sharing.copyYourself);
  };
  const send = () => {
    navigator.share({ url, ...(title === "" ? {} : { title }) }).catch(() => {
      // The person changed their mind.
    });
  };
  // Absent in insecure contexts, and in most browsers of desks.
  const canSend = typeof navigator.share === "function";
  return (
    <div class="stack">
      <div class="field">
        <label for={id}>{sharing.link}</label>
        <div class="field-box">
          <input
            id={id}
            ref={field}
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
        </div>
      </div>
      <OnlyHere url={url} />
      <div class="actions start">
        {canSend && (
          <Button kind="main" icon="sharing" onClick={send}>
            {sharing.send}
          </Button>
        )}
        <Button
          kind={canSend ? "plain" : "main"}
          icon={copies > 0 ? "check" : "copy"}
          onClick={copy}
        >
          {/* Both have their room, so that nothing next to it moves. */}
          <span class="either">
            <span class={copies > 0 ? "not-now" : ""}>{sharing.copy}</span>
            <span class={copies > 0 ? "" : "not-now"}>{sharing.copiedNow}</span>
          </span>
        </Button>
        {!showsCode && (
          <Button
            icon="code"
            aria-expanded={code}
            onClick={() => setCode(!code)}
          >
            {sharing.showCode}
          </Button>
        )}
        <a
          class="button quiet"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {sharing.open}
        </a>
      </div>
      {code && <QrCode text={url} />}
    </div>
  );
}
