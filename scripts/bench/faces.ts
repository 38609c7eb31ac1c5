/**
 * How well faces are found and compared, by the app itself in Debian's
 * Chromium: over the six photographs of people that come with
 * `@vladmandic/face-api`, over the same turned, mirrored, darker, smaller and
 * saved badly, and over photographs without people (`tests/samples`, and those
 * of Debian's `python3-skimage` where that is installed).
 *
 * Which face of a changed photograph is whose is known by its place.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { type Faces, openFaces } from "../../src/client/library/faces.ts";
import type { Face } from "../../src/client/library/faces_pages.ts";
import { fileOf } from "../../src/client/library/findings_pages.ts";
import { plainOf } from "../../src/client/library/mod.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { FACES_IN, portrait } from "../../tests/support/portraits.ts";
import { sampleBytes } from "../../tests/support/samples.ts";
import { withApp } from "../../tests/support/web_app.ts";
import { openPhotos, photographer } from "../../tests/support/web_people.ts";
import { say } from "./support.ts";

const SKIMAGE = "/usr/lib/python3/dist-packages/skimage/data";
/** Those of it that are photographs and show nobody. */
const NOBODY = [
  "brick.png",
  "chelsea.png",
  "coins.png",
  "grass.png",
  "gravel.png",
  "hubble_deep_field.jpg",
  "ihc.png",
  "moon.png",
  "motorcycle_left.png",
  "retina.jpg",
  "rocket.jpg",
];
/** The small picture of a photo, as the app makes it (pixels). */
const SMALL = 512;
const LARGE = 1_920;
/** Two places are of the same face (parts of the picture). */
const NEAR = 0.09;

/** How a photograph is changed. */
interface Change {
  readonly name: string;
  /** Degrees. */
  readonly turn?: number;
  readonly mirrored?: boolean;
  readonly filter?: string;
  /** Longest side (pixels). */
  readonly side?: number;
  readonly quality?: number;
}

const CHANGES: readonly Change[] = [
  { name: "as they are" },
  { name: "turned by 15°", turn: 15 },
  { name: "turned by −12°", turn: -12 },
  { name: "mirrored", mirrored: true },
  { name: "half as bright", filter: "brightness(0.5)" },
  { name: "without colour", filter: "grayscale(1)" },
  { name: "blurred", filter: "blur(2px)" },
  { name: "of 420 pixels", side: 420 },
  { name: "saved at quality 0.15", quality: 0.15 },
];

interface Made {
  readonly large: Uint8Array<ArrayBuffer>;
  readonly small: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** What the browser does, which has canvases. */
const CHANGING = `async ({ text, change, small, large }) => {
  const blob = await (await fetch("data:image/png;base64," + text)).blob();
  const bitmap = await createImageBitmap(blob);
  const longest = Math.max(bitmap.width, bitmap.height);
  const by = Math.min(1, (change.side ?? large) / longest);
  const canvas = new OffscreenCanvas(
    Math.round(bitmap.width * by),
    Math.round(bitmap.height * by),
  );
  const { width, height } = canvas;
  const drawing = canvas.getContext("2d");
  drawing.filter = change.filter ?? "none";
  drawing.translate(width / 2, height / 2);
  drawing.rotate((change.turn ?? 0) * Math.PI / 180);
  if (change.mirrored) drawing.scale(-1, 1);
  drawing.drawImage(bitmap, -width / 2, -height / 2, width, height);
  const jpegOf = async (side, quality) => {
    const part = Math.min(1, side / Math.max(width, height));
    const sized = new OffscreenCanvas(
      Math.round(width * part),
      Math.round(height * part),
    );
    const to = sized.getContext("2d");
    to.drawImage(canvas, 0, 0, sized.width, sized.height);
    const jpeg = await sized.convertToBlob({ type: "image/jpeg", quality });
    let text = "";
    for (const byte of new Uint8Array(await jpeg.arrayBuffer())) {
      text += String.fromCharCode(byte);
    }
    return btoa(text);
  };
  return {
    large: await jpegOf(large, change.quality ?? 0.82),
    small: await jpegOf(small, change.quality ?? 0.8),
    width,
    height,
  };
}`;

/** The pictures of a changed photograph. */
async function changed(
  page: Page,
  bytes: Uint8Array,
  change: Change,
): Promise<Made> {
  const given = { text: bytes.toBase64(), change, small: SMALL, large: LARGE };
  const made = await page.evaluate<
    Omit<Made, "large" | "small"> & { large: string; small: string }
  >(`(${CHANGING})(${JSON.stringify(given)})`);
  return {
    ...made,
    large: Uint8Array.fromBase64(made.large),
    small: Uint8Array.fromBase64(made.small),
  };
}

/** Where a place of the unchanged photograph is in a changed one. */
function moved(
  [x, y]: readonly [number, number],
  { turn = 0, mirrored = false }: Change,
  { width, height }: Made,
): readonly [number, number] {
  const dx = (mirrored ? 0.5 - x : x - 0.5) * width;
  const dy = (y - 0.5) * height;
  const angle = turn * Math.PI / 180;
  return [
    0.5 + (dx * Math.cos(angle) - dy * Math.sin(angle)) / width,
    0.5 + (dx * Math.sin(angle) + dy * Math.cos(angle)) / height,
  ];
}

interface Taken {
  readonly of: number | undefined;
  readonly change: Change;
  readonly made: Made;
  readonly sha256: string;
}

const middle = ({ box }: Face): readonly [number, number] => [
  box.x + box.width / 2,
  box.y + box.height / 2,
];

/** The faces of a file, as the account's pages have them. */
function facesIn(faces: Faces, sha256: string): readonly Face[] {
  const file = fileOf(sha256);
  return faces.people().flatMap((one) => one.faces)
    .filter((face) => face.file === file);
}

async function nobodys(): Promise<readonly Uint8Array[]> {
  const own = ["cat.jpg", "coffee.jpg", "hubble-deep-field.jpg", "rocket.jpg"];
  const found: Uint8Array[] = await Promise.all(own.map(sampleBytes));
  for (const name of NOBODY) {
    try {
      found.push(await Deno.readFile(`${SKIMAGE}/${name}`));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return found;
}

async function measure(): Promise<void> {
  await withApp(async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const all: Taken[] = [];
    const keep = async (made: Made, of: number | undefined, change: Change) => {
      const number = new TextEncoder().encode(String(all.length));
      const whole = new Uint8Array([...made.large, ...number]);
      await ada.library.take({
        source: plainOf(whole),
        about: { name: `${all.length}.jpg`, mime: "image/jpeg" },
        derivatives: [
          { kind: "thumbnail", mime: "image/jpeg", bytes: made.small },
          { kind: "preview", mime: "image/jpeg", bytes: made.large },
        ],
      });
      all.push({ of, change, made, sha256: sha256Hex(whole) });
    };
    let seconds = 0;
    await visit(async ({ page }) => {
      for (const change of CHANGES) {
        for (const [at] of FACES_IN.entries()) {
          const bytes = await portrait(at + 1);
          await keep(await changed(page, bytes, change), at, change);
        }
      }
      for (const bytes of await nobodys()) {
        const change = { name: "nobody" };
        await keep(await changed(page, bytes, change), undefined, change);
      }
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/person`);
      const began = performance.now();
      await page.getByRole("button", { name: "Find people" }).click();
      await page.getByText("All photos were looked at.")
        .waitFor({ timeout: 600_000 });
      seconds = (performance.now() - began) / 1_000;
    });
    const faces = await openFaces(ada.library);
    await ada.library.state.read();
    // What the app looked at last is sent a moment later.
    while (faces.count < all.length) await faces.read();
    tell(all, faces, seconds);
  });
}

function tell(all: readonly Taken[], faces: Faces, seconds: number): void {
  const originals = all.filter(({ change, of }) =>
    change === CHANGES[0] && of !== undefined
  );
  const truth = originals.flatMap(({ of = 0, sha256 }) =>
    facesIn(faces, sha256).map((face) => ({ of, face }))
  );
  const personOf = (face: Face) =>
    faces.people().find((one) => one.faces.some(({ id }) => id === face.id))
      ?.id ?? "";
  const expected = FACES_IN.reduce<number>((sum, n) => sum + n, 0);
  say(
    `photographs | faces found of ${expected} | of them with the right person | others found`,
  );
  for (const change of CHANGES) {
    let [found, right, others] = [0, 0, 0];
    for (const one of all) {
      if (one.change !== change || one.of === undefined) continue;
      for (const face of facesIn(faces, one.sha256)) {
        const [x, y] = middle(face);
        const [nearest] = truth.filter(({ of }) => of === one.of)
          .map((known) => {
            const [ox, oy] = moved(middle(known.face), change, one.made);
            return { known, far: Math.hypot(ox - x, oy - y) };
          }).toSorted((a, b) => a.far - b.far);
        if (nearest === undefined || nearest.far > NEAR) others++;
        else {
          found++;
          if (personOf(face) === personOf(nearest.known.face)) right++;
        }
      }
    }
    say(`${change.name} | ${found} | ${right} | ${others}`);
  }
  const nobody = all.filter(({ of }) => of === undefined);
  const wrong =
    nobody.filter(({ sha256 }) => facesIn(faces, sha256).length > 0).length;
  say(`photographs of nobody: ${nobody.length}, of them with a face: ${wrong}`);
  const shared = new Map<string, Set<number>>();
  for (const { of, face } of truth) {
    const id = personOf(face);
    shared.set(id, (shared.get(id) ?? new Set()).add(of + 1));
  }
  const several = [...shared.values()].filter(({ size }) => size > 1)
    .map((photos) => [...photos].join(" and "));
  say(
    `people in the ${truth.length} faces of the six: ${shared.size}; ` +
      `in several: ${several.join("; ") || "none"}`,
  );
  say(
    `${all.length} photographs in ${seconds.toFixed(0)} s: ` +
      `${(seconds / all.length).toFixed(2)} s each`,
  );
}

if (import.meta.main) {
  await measure();
  // The browser would go on.
  Deno.exit(0);
}
