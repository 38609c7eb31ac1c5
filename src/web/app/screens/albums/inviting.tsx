/**
 * Inviting someone to an album, or to a collection of which that makes one.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Choice, Options } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead, href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import type {
  AlbumPage,
  CollectionPage,
  MemberRole,
  PersonCard,
} from "../../../workers/library/albums/album_cards.ts";
import { messages } from "../../messages.ts";
import { sharingList } from "../settings/library_doubt.tsx";
import { NoAccount } from "./no_account.tsx";
import { changeRoster } from "./roster.tsx";

/**
 * Inviting the first person to a private collection, of which that makes an
 * album.
 */
export function FirstInvite(
  { collection, onClose }: {
    readonly collection: CollectionPage;
    readonly onClose: () => void;
  },
) {
  const { albums } = messages.value;
  const made = useRef<string | undefined>(undefined);
  const { id, title, count, open, noun } = collection;
  const makeAlbum = async () => {
    if (made.current !== undefined) return made.current;
    const album = await sharingList(() => vault().collections.toAlbum(id));
    if (album === undefined) return undefined;
    const { id: albumId, failed } = album;
    made.current = albumId;
    if (failed > 0) toast(albums.failed({ n: failed, noun }));
    return albumId;
  };
  return (
    <Dialog title={albums.people} onClose={onClose}>
      <p class="quiet">
        {albums.becomesAlbum}
        {open < count && <>{" "}{albums.hiddenStay}</>}
      </p>
      <Invite
        album={{ id, title, count: 0, others: 0, members: [] }}
        makeAlbum={makeAlbum}
        onInvited={(albumId) => {
          onClose();
          goInstead(href("album", albumId));
        }}
        onLeave={onClose}
      />
    </Dialog>
  );
}

/** What inviting needs of an album, which may still be a collection. */
type Invited = Pick<
  AlbumPage,
  "id" | "title" | "count" | "others" | "members"
>;

interface Inviting {
  readonly album: Invited;
  /** Makes the album first; resolves to its id, if the person agrees. */
  readonly makeAlbum?: () => Promise<string | undefined>;
  readonly onInvited?: (albumId: string) => void;
}

/** Asks for whom to invite. */
export function Invite(
  { album, onLeave, ...inviting }: Inviting & {
    readonly onLeave: () => void;
  },
) {
  const { albums } = messages.value;
  const [typed, setTyped] = useState("");
  const [found, setFound] = useState<PersonCard>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [hasNoAccount, setHasNoAccount] = useState(false);
  const look = async () => {
    setBusy(true);
    setFault(undefined);
    setHasNoAccount(false);
    try {
      const person = await vault().people.find(typed);
      setFound(person);
      setHasNoAccount(person === undefined);
      const isIn = album.members.some(({ userId }) =>
        userId === person?.userId
      );
      const why = person === undefined
        ? albums.notFound
        : person.me
        ? albums.isYou
        : isIn
        ? albums.isIn
        : person.unready
        ? albums.unready
        : undefined;
      if (why !== undefined) {
        setFault(why);
        setFound(undefined);
      }
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  if (found !== undefined) {
    return (
      <Found
        album={album}
        {...inviting}
        person={found}
        typed={typed}
        onEnd={() => {
          setFound(undefined);
          setTyped("");
        }}
      />
    );
  }
  return (
    <Form class="invite" onSubmit={look}>
      <h3>{albums.invite}</h3>
      <Field
        label={albums.whom}
        value={typed}
        required
        autofocus={album.others === 0}
        inputMode="email"
        autocomplete="off"
        hint={albums.whomHint}
        fault={fault}
        onInput={(value) => {
          setTyped(value);
          setFault(undefined);
          setHasNoAccount(false);
        }}
      />
      <div class="actions">
        <Button kind="main" type="submit" busy={busy}>{albums.find}</Button>
      </div>
      {hasNoAccount && <NoAccount album={album} onLeave={onLeave} />}
    </Form>
  );
}

/** The person who was found, with their name and role for the album. */
function Found(
  { album, makeAlbum, onInvited, person, typed, onEnd }: Inviting & {
    readonly person: PersonCard;
    readonly typed: string;
    readonly onEnd: () => void;
  },
) {
  const { albums, common } = messages.value;
  const [beforeAt = ""] = typed.trim().replace(/^@/, "").split("@");
  const told = person.name ?? person.handle ?? beforeAt;
  const [name, setName] = useState("");
  const [role, setRole] = useState<MemberRole>("contributor");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const own = name.trim();
  const called = own || told || albums.somebody;
  const invite = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const id = makeAlbum === undefined ? album.id : await makeAlbum();
      if (id === undefined) return setBusy(false);
      const done = await changeRoster(
        id,
        () =>
          vault().albums.invite(
            id,
            person.userId,
            role,
            own || told,
            own !== "",
          ),
      );
      if (done) toast(albums.invited({ name: called }));
      onEnd();
      onInvited?.(id);
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <Form class="invite" onSubmit={invite}>
      <h3>{albums.inviteThem({ name: called })}</h3>
      <p class="quiet">{typed}</p>
      <Choice
        label={albums.role}
        value={role}
        options={[
          ["contributor", albums.roles.contributor],
          ["viewer", albums.roles.viewer],
        ]}
        onChoose={setRole}
      />
      <Options label={albums.otherName}>
        <Field
          label={albums.called}
          hint={albums.calledHint}
          value={name}
          placeholder={told}
          maxLength={80}
          onInput={setName}
        />
      </Options>
      {fault !== undefined && <Notice>{fault}</Notice>}
      <div class="actions">
        <Button onClick={onEnd}>{common.cancel}</Button>
        <Button kind="main" type="submit" busy={busy}>{albums.invite}</Button>
      </div>
    </Form>
  );
}
