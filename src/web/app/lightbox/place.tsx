/**
 * Where a photo was taken: the coordinates, which can be copied, and a map.
 *
 * @module
 */
import type { PhotoInfo } from "../list.ts";
import { IconButton } from "../parts/controls.tsx";
import { toast } from "../parts/toasts.tsx";
import { messages } from "../messages.ts";
import { copyText } from "../views/sharing/copying.ts";

type Place = NonNullable<PhotoInfo["place"]>;

/** The coordinates, with a button that copies them. */
export function PlaceLine(
  { place, text }: { readonly place: Place; readonly text: string },
) {
  const { about } = messages.value.lightbox;
  const copy = async () => {
    const isCopied = await copyText(`${place.latitude}, ${place.longitude}`);
    toast(isCopied ? about.placeCopied : about.placeNotCopied);
  };
  return (
    <p class="lightbox-place">
      {text}
      <IconButton icon="copy" label={about.copyPlace} onClick={copy} />
    </p>
  );
}

/**
 * The link to a map. Android opens a map program of its own; elsewhere it is a
 * website, which learns of the place only if the person goes there.
 */
export function MapLink(
  { place: { latitude, longitude } }: { readonly place: Place },
) {
  const { about } = messages.value.lightbox;
  // An iPhone opens no such address.
  const hasMaps = /android/i.test(navigator.userAgent);
  if (hasMaps && matchMedia("(pointer: coarse)").matches) {
    return <a href={`geo:${latitude},${longitude}`}>{about.openPlace}</a>;
  }
  const at = `${latitude}/${longitude}`;
  const marked = `mlat=${latitude}&mlon=${longitude}#map=15/${at}`;
  return (
    <>
      <a
        href={`https://www.openstreetmap.org/?${marked}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        {about.openMap}
      </a>{" "}
      <span class="quiet small">{about.openMapWhy}</span>
    </>
  );
}
