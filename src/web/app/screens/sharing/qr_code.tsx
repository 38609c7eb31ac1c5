/**
 * A link as a QR code.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { part } from "../../part.ts";
import { Button, Notice, Spinner } from "../../parts/controls.tsx";
import { messages } from "../../messages.ts";

/** Width of the light border in modules; readers need it. */
const BORDER = 4;

interface Drawn {
  readonly size: number;
  readonly path: string;
}

/** The QR code of a text, dark on light in every colour scheme. */
export function QrCode({ text }: { readonly text: string }) {
  const { sharing } = messages.value;
  const { value: drawn, error, again } = useLoaded(async (): Promise<Drawn> => {
    const { default: encodeQR } = await part(() => import("qr"));
    const rows = encodeQR(text, "raw", { ecc: "medium", border: BORDER });
    return { size: rows.length, path: pathOf(rows) };
  }, [text]);
  if (error !== undefined) {
    return (
      <div class="stack">
        <Notice>{faultText(error)}</Notice>
        <Button onClick={again}>{messages.value.common.retry}</Button>
      </div>
    );
  }
  if (drawn === undefined) return <Spinner />;
  return (
    <figure class="qr-figure">
      <svg
        viewBox={`0 0 ${drawn.size} ${drawn.size}`}
        role="img"
        aria-label={sharing.code}
        shape-rendering="crispEdges"
      >
        <rect width={drawn.size} height={drawn.size} fill="#fff" />
        <path d={drawn.path} fill="#000" />
      </svg>
      <figcaption class="quiet small">{sharing.codeHint}</figcaption>
    </figure>
  );
}

/** One square for each run of dark modules. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  const runs: string[] = [];
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue;
      const from = x;
      while (row[x + 1] === true) x++;
      runs.push(`M${from} ${y}h${x + 1 - from}v1H${from}z`);
    }
  }
  return runs.join("");
}
