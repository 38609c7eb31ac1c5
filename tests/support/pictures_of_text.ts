/**
 * Pictures with words in them, drawn by a browser as a page is.
 *
 * @module
 */
import type { Page } from "playwright-core";

const STYLE = "margin: 60px; background: #f4efe2; color: #222; " +
  "font: 48px/1.6 'DejaVu Sans', sans-serif";

/** A picture (PNG) of lines of text, dark on paper. */
export async function pictureOfText(
  page: Page,
  ...lines: string[]
): Promise<Uint8Array<ArrayBuffer>> {
  const paper = await page.context().newPage();
  try {
    await paper.setViewportSize({ width: 800, height: 600 });
    await paper.setContent(
      `<body style="${STYLE}">${
        lines.map((line) => `<p>${line}</p>`).join("")
      }</body>`,
    );
    return new Uint8Array(await paper.screenshot({ type: "png" }));
  } finally {
    await paper.close();
  }
}
