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

/** So many pictures stand for what is shared. */
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

interface WishProps {
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
}

/** What the link is to be, and making it. */
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
  }: WishProps,
) {
  const { sharing, films, common } = messages.value;
  const [texts, setTexts] = useState<LinkTexts>({
    title: given.title,
    message: "",
    from: given.from,
    endsAt: "month",
  });
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const [guests, setGuests] = useState<GuestRights>({
    takesMore: false,
    reacts: true,
  });
  const copies = useFilmCopies();
  const left = placeless ? leftOutOf(able, smaller) : 0;
  const empty = left === able.ids.length;
  const { endsAt } = texts;
  const says = [
    sharing.essence({ n: able.ids.length - left, noun: able.noun }),
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
      const copied = await copies.copy(smaller ? able.ids : [], placeless);
      const making = () =>
        vault().sharing.share({
          assetIds: able.ids,
          ...(source === undefined
            ? {}
            : { list: source, isLiving: living, ...guests }),
          title: texts.title.trim(),
          message: texts.message.trim(),
          from: texts.from.trim(),
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
      <Covers ids={able.ids} />
      {!empty && <p>{says.join(" ")}</p>}
      {able.edited > 0 && (
        <p class="quiet small">{sharing.edited({ n: able.edited })}</p>
      )}
      {source !== undefined && (
        <FollowChoice
          kind={source.kind}
          living={living}
          onLiving={onLiving}
          of={guests}
          onChange={setGuests}
        />
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
      {copies.copying !== undefined && (
        <CopyingProgress copying={copies.copying} />
      )}
      {empty && <Notice kind="warn">{sharing.allLeftOut}</Notice>}
      <Options label={sharing.options} open={tried && passphrase.isShort}>
        <LinkFields
          of={texts}
          onChange={(part) => setTexts((held) => ({ ...held, ...part }))}
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

/** Copies videos in 720p while the dialog is open, and tells how far it is. */
function useFilmCopies() {
  const [copying, setCopying] = useState<Copying>();
  const ending = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  return {
    copying,
    /** Copies the videos among photos; undefined without photos. */
    async copy(
      ids: readonly string[],
      isPlaceless: boolean,
    ): Promise<Copied | undefined> {
      const { signal } = ending.current = new AbortController();
      const copied = ids.length === 0
        ? undefined
        : await copyFilms(ids, "playable-720", {
          signal,
          onProgress: setCopying,
          isPlaceless,
        });
      setCopying(undefined);
      return copied;
    },
  };
}

/** Pictures that stand for what is shared. */
function Covers({ ids }: { readonly ids: readonly string[] }) {
  return (
    <div class="share-covers" aria-hidden="true">
      {ids.slice(0, COVERS).map((id) => (
        <Cover
          key={id}
          id={id}
          icon="photos"
        />
      ))}
      {ids.length > COVERS && <span class="more">+{ids.length - COVERS}</span>}
    </div>
  );
}

/** What guests may do in a list besides looking at it. */
interface GuestRights {
  readonly takesMore: boolean;
  /** Whether they may react to photos, where the link takes more of them. */
  readonly reacts: boolean;
}

/** What a link to a list shows later, and takes. */
function FollowChoice(
  { kind, living, onLiving, of: { takesMore, reacts }, onChange }: {
    readonly kind: FollowedList["kind"];
    readonly living: boolean;
    readonly onLiving: (living: boolean) => void;
    readonly of: GuestRights;
    readonly onChange: (rights: GuestRights) => void;
  },
) {
  const { sharing } = messages.value;
  return (
    <>
      <Check label={sharing.later} checked={living} onChange={onLiving}>
        {living ? sharing.laterHint : sharing.laterNot}
      </Check>
      {kind !== "favourites" && (
        <Check
          label={sharing.takesMore}
          checked={takesMore}
          onChange={(takesMore) => onChange({ takesMore, reacts })}
        >
          {takesMore && sharing.takesMoreHint}
        </Check>
      )}
      {takesMore && (
        <Check
          label={sharing.reacts}
          checked={reacts}
          onChange={(reacts) => onChange({ takesMore, reacts })}
        >
          {reacts && sharing.reactsHint}
        </Check>
      )}
    </>
  );
}

/** What a link says, and until when. */
interface LinkTexts {
  readonly title: string;
  readonly message: string;
  /** Who sends it. */
  readonly from: string;
  readonly endsAt: Ending;
}

function LinkFields(
  { of: { title, message, from, endsAt }, onChange }: {
    readonly of: LinkTexts;
    readonly onChange: (part: Partial<LinkTexts>) => void;
  },
) {
  const { sharing } = messages.value;
  return (
    <>
      <Field
        label={sharing.name}
        value={title}
        maxLength={200}
        placeholder={sharing.namePlaceholder}
        onInput={(title) => onChange({ title })}
      />
      <TextArea
        label={sharing.message}
        value={message}
        rows={2}
        maxLength={4_000}
        onInput={(message) => onChange({ message })}
      />
      <Field
        label={sharing.from}
        value={from}
        maxLength={200}
        hint={sharing.fromHint}
        onInput={(from) => onChange({ from })}
      />
      <EndingChoice
        value={endsAt}
        among={[...TIMES, "never"]}
        onChoose={(endsAt) => onChange({ endsAt })}
      />
    </>
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
