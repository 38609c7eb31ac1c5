/**
 * A link as a QR code on a terminal, for a telephone next to it: two modules a
 * character, dark on light whatever the terminal's own colours are.
 *
 * @module
 */
import encodeQR from "qr";

/** Light modules around it, without which readers do not find it. */
const BORDER = 4;
const DARK_ON_LIGHT = "\x1b[38;2;0;0;0;48;2;255;255;255m";
const PLAIN = "\x1b[0m";

/** The code of a text, line by line. */
export function qrCodeOf(text: string): string {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: BORDER });
  const lines: string[] = [];
  for (let row = 0; row < rows.length; row += 2) {
    const [upper = [], lower = []] = [rows[row], rows[row + 1]];
    const line = upper.map((isDark, column) => {
      const isBelow = lower[column] === true;
      return isDark ? isBelow ? "█" : "▀" : isBelow ? "▄" : " ";
    });
    lines.push(`${DARK_ON_LIGHT}${line.join("")}${PLAIN}`);
  }
  return lines.join("\n");
}
