/**
 * Drawing a QR code. Loaded when one is shown.
 *
 * @module
 */
import encodeQR from "qr";

/**
 * A text as a QR code. It is dark on light in every theme, because scanners
 * need that.
 */
export function QrCode(
  { text, label }: { readonly text: string; readonly label: string },
) {
  const rows = encodeQR(text, "raw", { border: 2 });
  const path = rows.flatMap((row, y) =>
    row.map((dark, x) => dark ? `M${x} ${y}h1v1h-1z` : "")
  ).join("");
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
