/**
 * Where a photo was taken: the name of the town, the coordinates, a map, and a
 * form to say where it was.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Position, Town } from "../../../../media/places/gazetteer.ts";
import { faultText } from "../../faults.ts";
import type { PhotoInfo } from "../../list.ts";
import { Button, IconButton, Notice } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { locale, messages } from "../../messages.ts";
import { placeText } from "./info_text.ts";
import { PlaceChoice, townText } from "./place_choice.tsx";
import { copyText } from "../../screens/sharing/copying.ts";

/** The place of a photo; one's own can be given one, or another. */
export function PlaceFact({ info }: { readonly info: PhotoInfo }) {
  const { about } = messages.value.lightbox;
  const tag = locale.value;
  const [open, setOpen] = useState(false);
  const wasOpen = useRef(false);
  const root = useRef<HTMLDivElement>(null);
  const town = useTown(info.place);
  useLayoutEffect(() => setOpen(false), [info.id]);
  useEffect(() => {
    // The focus returns to the button that opened the form.
    if (!open && wasOpen.current) {
      root.current?.querySelector("button")?.focus();
    }
    wasOpen.current = open;
  }, [open]);
  if (open) return <PlaceForm info={info} onDone={() => setOpen(false)} />;
  const { place, mine } = info;
  if (place === undefined) {
    return (
      <div ref={root}>
        <Button kind="quiet" onClick={() => setOpen(true)}>
          {about.placeAdd}
        </Button>
      </div>
    );
  }
  const altitude = place.altitude === undefined ? undefined : about.altitude({
    metres: Math.round(place.altitude).toLocaleString(tag),
  });
  return (
    <div ref={root}>
      <div class="lightbox-taken">
        {town === undefined
          ? (
            <PlaceLine
              place={place}
              text={placeText(place, tag, about.compass)}
            />
          )
          : <p class="lightbox-town">{townText(town, tag)}</p>}
        {mine && (
          <IconButton
            icon="edit"
            size={16}
            label={about.placeEdit}
            onClick={() => setOpen(true)}
          />
        )}
      </div>
      {town !== undefined && (
        <div class="quiet small">
          <PlaceLine
            place={place}
            text={placeText(place, tag, about.compass)}
          />
        </div>
      )}
      {altitude !== undefined && <p class="quiet small">{altitude}</p>}
      <p>
        <MapLink place={place} />
      </p>
      {town !== undefined && <p class="quiet small">{about.placeNames}</p>}
    </div>
  );
}

/** The town of a place; undefined until it is known, and where there is none. */
function useTown(place: Position | undefined): Town | undefined {
  const [town, setTown] = useState<Town>();
  const { latitude, longitude } = place ?? {};
  useEffect(() => {
    let gone = false;
    setTown(undefined);
    if (latitude === undefined || longitude === undefined) return;
    vault().places.town({ latitude, longitude }).then((found) => {
      if (!gone) setTown(found);
    }, () => {
      // Without a connection the coordinates are all that is known.
    });
    return () => {
      gone = true;
    };
  }, [latitude, longitude]);
  return town;
}

function PlaceForm({ info, onDone }: {
  readonly info: PhotoInfo;
  readonly onDone: () => void;
}) {
  const { lightbox: { about }, common } = messages.value;
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [meant, setMeant] = useState<Position>();
  const save = async ({ latitude, longitude }: Position) => {
    setBusy(true);
    setFault(undefined);
    try {
      await vault().places.set(info.id, { latitude, longitude });
      toast(about.saved);
      onDone();
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <Form
      class="lightbox-taken-form"
      onSubmit={() => meant && !busy && save(meant)}
    >
      <PlaceChoice
        label={about.placeWhere}
        busy={busy}
        autofocus
        onMean={setMeant}
        onChoose={save}
        onFault={setFault}
      />
      {fault !== undefined && <Notice>{fault}</Notice>}
      <div class="actions">
        <Button onClick={onDone}>{common.cancel}</Button>
      </div>
    </Form>
  );
}

type Place = NonNullable<PhotoInfo["place"]>;

/** The coordinates, with a button that copies them. */
function PlaceLine(
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
function MapLink(
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
