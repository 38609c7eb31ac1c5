/**
 * Handing out a link: copying it, showing it as a QR code, or sending it.
 *
 * @module
 */
import { useId, useRef, useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { words } from "../../words.ts";
import { copyField } from "./copying.ts";
import { QrCode } from "./qr_code.tsx";

/** The address with its buttons. */
export function LinkOut(
  { url, title, showsCode = false }: {
    readonly url: string;
    readonly title: string;
    readonly showsCode?: boolean;
  },
) {
  const { sharing } = words.value;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState(showsCode);
  const copy = async () => {
    if (field.current === null) return;
    const done = await copyField(field.current);
    toast(done ? sharing.copied : sharing.copyYourself);
  };
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
      <div class="actions start">
        <Button kind="main" icon="copy" onClick={copy}>{sharing.copy}</Button>
        <Button
          icon="code"
          aria-expanded={code}
          onClick={() => setCode(!code)}
        >
          {sharing.showCode}
        </Button>
        {canSend && (
          <Button
            icon="sharing"
            onClick={() => {
              navigator.share({ url, title }).catch(() => {
                // The person cancelled.
              });
            }}
          >
            {sharing.send}
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
