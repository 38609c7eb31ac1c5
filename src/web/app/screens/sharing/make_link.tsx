/**
 * Making a share link.
 *
 * @module
 */
import type { FollowedList } from "../../../../library/sharing/link_notes.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { type Noun, PhotoList } from "../../list.ts";
import { Check, Options, Radios, TextArea } from "../../parts/choices.tsx";
import { Button, Notice, Spinner } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Cover } from "../../parts/cover.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { vault } from "../../vault.ts";
import type { Shareable } from "../../../workers/library/sharing/sharing_cards.ts";
import { messages } from "../../messages.ts";
import { type Copied, copyFilms, type Copying } from "../films/copying.ts";
import { CopyingProgress } from "../films/copying_progress.tsx";
import { NotSmaller } from "../films/not_smaller.tsx";
import { sharingList } from "../settings/library_doubt.tsx";
import { EndingChoice, TIMES } from "./ending_choice.tsx";
import { type Ending, endOf } from "./endings.ts";
import { LinkOut } from "./link_out.tsx";
import {
  type LinkPassphrase,
  PassphraseChoice,
  useLinkPassphrase,
} from "./passphrase_choice.tsx";

/** Pictures that stand for what is shared. */
const COVERS = 5;

/** Makes a link to photos; `after` hears when one was made. */
export function sharePhotos(
  ids: readonly string[],
  noun: Noun,
  title = "",
  after?: () => void,
  source?: FollowedList,
): void {
  overlay((close) => (
    <MakeLink
      ids={ids}
      noun={noun}
      title={title}
      source={source}
      onMade={after}
      onClose={close}
    />
  ));
}

/**
 * Makes a link to an album: by default to what comes into it later, too, unless
 * others add to it.
 */
export async function shareAlbum(
  source: FollowedList,
  title: string,
): Promise<void> {
  const columns = await vault().photos.list(source);
  if (columns === undefined) return;
  const list = new PhotoList(columns);
  sharePhotos(list.wholeIds(), list.noun(), title, undefined, source);
}

function MakeLink(
  { ids, noun, title, source, onMade, onClose }: {
    readonly ids: readonly string[];
    readonly noun: Noun;
    readonly title: string;
    /** The list whose photos these are. */
    readonly source: FollowedList | undefined;
    readonly onMade: (() => void) | undefined;
    readonly onClose: () => void;
  },
) {
  const { sharing } = messages.value;
  const { value: able, error } = useLoaded(
    () => vault().sharing.shareable(ids, source),
    [],
  );
  const { value: from, here } = useLoaded(
    () => vault().sharing.ownName().catch(() => ""),
    [],
  );
  const [url, setUrl] = useState<string>();
  const passphrase = useLinkPassphrase();
  const [placeless, setPlaceless] = useState(true);
  const [smaller, setSmaller] = useState(false);
  const [chosenLiving, setLiving] = useState<boolean>();
  // Where others add, who makes the link does not see first what it shows.
  const living = chosenLiving ??
    (source !== undefined && able?.othersAdd !== true);
  const [copied, setCopied] = useState<Copied>();
  if (url !== undefined) {
    return (
      <Dialog title={sharing.made} onClose={onClose}>
        {copied !== undefined && <NotSmaller copied={copied} />}
        <LinkOut url={url} title={title} />
        <p class="quiet">
          {passphrase.isWanted
            ? living ? sharing.madeHintGuardedLater : sharing.madeHintGuarded
            : living
            ? sharing.madeHintLater
            : sharing.madeHint}
        </p>
      </Dialog>
    );
  }
  // As many as the link will show; where that is nothing, what was chosen.
  const chosen = able?.ids.length ?? ids.length;
  const left = placeless && able !== undefined ? leftOutOf(able, smaller) : 0;
  const heading = sharing.makeLink({
    n: left < chosen ? chosen - left : chosen,
    noun: able?.noun ?? noun,
  });
  return (
    <Dialog title={heading} onClose={onClose}>
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {(able === undefined || !here) && error === undefined && <Spinner />}
      {able !== undefined && here && (
        able.ids.length === 0
          ? <Notice kind="warn">{sharing.nothing}</Notice>
          : (
            <Wish
              able={able}
              noun={noun}
              title={title}
              source={source}
              living={living}
              onLiving={setLiving}
              from={from ?? ""}
              passphrase={passphrase}
              placeless={placeless}
              onPlaceless={setPlaceless}
              smaller={smaller}
              onSmaller={setSmaller}
              onMade={(made, films) => {
                setUrl(made);
                setCopied(films);
                onMade?.();
              }}
              onClose={onClose}
            />
          )
      )}
    </Dialog>
  );
}

function Wish(
  {
    able,
    noun,
    source,
    living,
    onLiving,
    passphrase,
    placeless,
    onPlaceless,
    smaller,
    onSmaller,
    onMade,
    onClose,
    ...given
  }: {
    readonly able: Shareable;
    readonly noun: Noun;
    readonly title: string;
    readonly source: FollowedList | undefined;
    /** Whether it shows what comes later. */
    readonly living: boolean;
    readonly onLiving: (living: boolean) => void;
    readonly from: string;
    readonly passphrase: LinkPassphrase;
    readonly placeless: boolean;
    readonly onPlaceless: (placeless: boolean) => void;
    /** Whether it gives videos in 720p. */
    readonly smaller: boolean;
    readonly onSmaller: (smaller: boolean) => void;
    readonly onMade: (url: string, films: Copied | undefined) => void;
    readonly onClose: () => void;
  },
) {
  const { sharing, films, common } = messages.value;
  const [title, setTitle] = useState(given.title);
  const [message, setMessage] = useState("");
  const [from, setFrom] = useState(given.from);
  const [endsAt, setEnding] = useState<Ending>("month");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const [takesMore, setTakesMore] = useState(false);
  const [reacts, setReacts] = useState(true);
  const [copying, setCopying] = useState<Copying>();
  const ending = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const left = placeless ? leftOutOf(able, smaller) : 0;
  const empty = left === able.ids.length;
  const shown = able.ids.length - left;
  const says = [
    sharing.essence({ n: shown, noun: able.noun }),
    endsAt === "never" ? sharing.untilEnded : sharing.until[endsAt],
    ...(passphrase.isWanted ? [sharing.withPassphraseToo] : []),
  ];
  const make = async () => {
    setTried(true);
    if (passphrase.isShort) return;
    setBusy(true);
    setFault(undefined);
    try {
      const expiresAt = endOf(endsAt);
      const { signal } = ending.current = new AbortController();
      const copied = smaller
        ? await copyFilms(able.ids, "playable-720", {
          signal,
          onProgress: setCopying,
          isPlaceless: placeless,
        })
        : undefined;
      setCopying(undefined);
      const making = () =>
        vault().sharing.share({
          assetIds: able.ids,
          ...(source === undefined
            ? {}
            : { list: source, isLiving: living, takesMore, reacts }),
          title: title.trim(),
          message: message.trim(),
          from: from.trim(),
          withPlaces: !placeless,
          films: smaller ? "smaller" : "original",
          ...(expiresAt === null ? {} : { expiresAt }),
          ...passphrase.given,
        });
      const made = await sharingList(making);
      if (made === undefined) return setBusy(false);
      onMade(made.url, copied);
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <Form onSubmit={make}>
      {able.others > 0 && (
        <Notice kind="info">{sharing.others({ n: able.others, noun })}</Notice>
      )}
      <div class="share-covers" aria-hidden="true">
        {able.ids.slice(0, COVERS).map((id) => (
          <Cover key={id} id={id} icon="photos" />
        ))}
        {able.ids.length > COVERS && (
          <span class="more">+{able.ids.length - COVERS}</span>
        )}
      </div>
      {!empty && <p>{says.join(" ")}</p>}
      {able.edited > 0 && (
        <p class="quiet small">{sharing.edited({ n: able.edited })}</p>
      )}
      {source !== undefined && (
        <Check label={sharing.later} checked={living} onChange={onLiving}>
          {living ? sharing.laterHint : sharing.laterNot}
        </Check>
      )}
      {source !== undefined && source.kind !== "favourites" && (
        <Check
          label={sharing.takesMore}
          checked={takesMore}
          onChange={setTakesMore}
        >
          {takesMore && sharing.takesMoreHint}
        </Check>
      )}
      {takesMore && (
        <Check label={sharing.reacts} checked={reacts} onChange={setReacts}>
          {reacts && sharing.reactsHint}
        </Check>
      )}
      {able.places > 0 && (
        <Radios
          label={sharing.people}
          value={placeless ? "placeless" : "originals"}
          options={[
            ["placeless", sharing.placeless, placesText(able, true, smaller)],
            ["originals", sharing.originals, placesText(able, false, smaller)],
          ]}
          onChoose={(chosen) => onPlaceless(chosen === "placeless")}
        />
      )}
      {able.films > 0 && (
        <Check label={films.smaller} checked={smaller} onChange={onSmaller}>
          {smaller && films.smallerHint}
        </Check>
      )}
      {copying !== undefined && <CopyingProgress copying={copying} />}
      {empty && <Notice kind="warn">{sharing.allLeftOut}</Notice>}
      <Options label={sharing.options} open={tried && passphrase.isShort}>
        <Field
          label={sharing.name}
          value={title}
          maxLength={200}
          placeholder={sharing.namePlaceholder}
          onInput={setTitle}
        />
        <TextArea
          label={sharing.message}
          value={message}
          rows={2}
          maxLength={4_000}
          onInput={setMessage}
        />
        <Field
          label={sharing.from}
          value={from}
          maxLength={200}
          hint={sharing.fromHint}
          onInput={setFrom}
        />
        <EndingChoice
          value={endsAt}
          among={[...TIMES, "never"]}
          onChoose={setEnding}
        />
        {able.places === 0 && <p class="quiet small">{sharing.noPlaces}</p>}
        <PassphraseChoice of={passphrase} tried={tried} />
      </Options>
      {fault !== undefined && <Notice>{fault}</Notice>}
      <div class="actions">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="main" type="submit" busy={busy} disabled={empty}>
          {busy ? sharing.making : sharing.make}
        </Button>
      </div>
    </Form>
  );
}

/** How many are left out: of videos that get a copy now, none. */
function leftOutOf(
  { leftOut, leftOutFilms }: Shareable,
  smaller: boolean,
): number {
  return smaller ? leftOut - leftOutFilms : leftOut;
}

/** What becomes of photos whose files contain their location. */
function placesText(
  able: Shareable,
  placeless: boolean,
  smaller: boolean,
): string {
  const { sharing } = messages.value;
  const { places, noun } = able;
  const leftOut = leftOutOf(able, smaller);
  if (!placeless) return sharing.placesKept({ n: places });
  // Those that are made now have no place.
  const stills = smaller ? 0 : able.stills;
  const copies = able.copies + able.stills - stills + able.leftOut - leftOut;
  return [
    ...(copies > 0 ? [sharing.copies({ n: copies, noun })] : []),
    ...(stills > 0 ? [sharing.stills({ n: stills })] : []),
    ...(leftOut > 0 ? [sharing.leftOut({ n: leftOut, noun })] : []),
  ].join(" ");
}
