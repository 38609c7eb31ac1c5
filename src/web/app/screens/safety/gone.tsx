/**
 * Photos of the person's own that are not where they were: the server lost
 * them, or the owner of their album deleted them. Each has a sentence in the
 * place where it was.
 *
 * @module
 */
import type { GonePhoto } from "../../../workers/library/alarms.ts";
import type { GonePlace } from "../../../workers/library/safety_calls.ts";
import { chooseFiles } from "../../upload/adding.tsx";
import { useLoaded } from "../../loaded.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, IconButton } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { shownName } from "../../safe_text.ts";
import { revision, vault } from "../../vault.ts";
import { locale, messages } from "../../messages.ts";

/** More are counted. */
const MOST_SHOWN = 50;

/** Those of a place; nothing if there are none. */
export function Gone(
  { where, what }: {
    /** Default: everywhere. */
    readonly where?: GonePlace;
    /** Which of them; default: all. */
    readonly what?: GonePhoto["what"];
  },
) {
  const { safety } = messages.value;
  const { value = [] } = useLoaded(
    () => vault().safety.gone(where),
    [where?.id, revision.value],
  );
  const photos = value.filter((one) =>
    (what === undefined || one.what === what) &&
    // In its album it is said, and nowhere else if nothing is lost.
    (where !== undefined || !(one.what === "removed" && one.isInLibrary))
  );
  if (photos.length === 0) return null;
  const isLost = photos.some(({ isInLibrary }) => !isInLibrary);
  return (
    <section class="safety-alarms gone" aria-label={safety.gone.title}>
      <h2>{safety.gone.title}</h2>
      <ul>
        {photos.slice(0, MOST_SHOWN).map((one) => (
          <One key={one.id} photo={one} isPlaced={where !== undefined} />
        ))}
        {photos.length > MOST_SHOWN && (
          <li class="quiet small">
            {safety.gone.more({ n: photos.length - MOST_SHOWN })}
          </li>
        )}
      </ul>
      {where !== undefined && isLost && (
        <Button
          icon="add"
          onClick={() => chooseFiles("files")}
        >
          {safety.addAgain}
        </Button>
      )}
    </section>
  );
}

function One({ photo, isPlaced }: {
  readonly photo: GonePhoto;
  /** Whether it is told in the album that it was in. */
  readonly isPlaced: boolean;
}) {
  const { gone, noName } = messages.value.safety;
  const { id, name, taken, what, album, isInLibrary } = photo;
  const shown = name === undefined ? noName : shownName(name);
  const why = what === "missing"
    ? gone.missing
    : isInLibrary
    ? gone.removed
    : gone.removedLast;
  const giveUp = () =>
    what === "removed" ? vault().safety.giveUp([id]) : confirm({
      title: gone.giveUpTitle({ name: shown }),
      text: <p>{gone.giveUpText}</p>,
      action: gone.giveUp,
      act: () => vault().safety.giveUp([id]),
    });
  return (
    <li>
      <Icon name={what === "removed" && isInLibrary ? "info" : "alarm"} />
      <div>
        <p>
          <strong>{shown}</strong>{" "}
          <span class="quiet small">
            {[dateText(taken), ...(isPlaced ? [] : [album ?? []])].flat()
              .join(" · ")}
          </span>
        </p>
        <p class="small">{why}</p>
      </div>
      <IconButton icon="close" label={gone.giveUp} onClick={giveUp} />
    </li>
  );
}

/** The day, of a local time that is told as if it were UTC. */
function dateText(taken: number): string {
  return new Date(taken).toLocaleDateString(locale.value, {
    dateStyle: "medium",
    timeZone: "UTC",
  });
}
