/**
 * The people an album is shared with: inviting, roles, removing, and verifying.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Choice, Options } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { toast } from "../../parts/toasts.tsx";
import { revision, vault } from "../../vault.ts";
import type {
  AlbumPage,
  MemberCard,
  MemberRole,
  PersonCard,
} from "../../../work/album_cards.ts";
import { words } from "../../words.ts";
import { Face, nameOf } from "./faces.tsx";
import { Nobody } from "./nobody.tsx";
import { Person } from "./person.tsx";
import { changeRoster, tryRoster } from "./roster.tsx";

/** The people of an album. */
export function PeopleDialog(
  { albumId, onClose }: {
    readonly albumId: string;
    readonly onClose: () => void;
  },
) {
  const { albums } = words.value;
  const { value: album, error } = useLoaded(
    () => vault().albums.page(albumId),
    [revision.value],
  );
  const [looked, setLooked] = useState<string>();
  useEffect(() => {
    // Who left is taken off the list; without a connection it stays as it is.
    vault().albums.settle(albumId).catch(() => {});
  }, [albumId]);
  if (looked !== undefined) {
    return (
      <Person
        userId={looked}
        albumId={albumId}
        onBack={() => setLooked(undefined)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={albums.people} onClose={onClose}>
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {album !== undefined && (
        <>
          <ul class="lines">
            {album.members.map((one) => (
              <Member
                key={one.userId}
                album={album}
                member={one}
                onLook={() => setLooked(one.userId)}
              />
            ))}
          </ul>
          {album.own
            ? (
              <>
                {album.others === 0 && <p class="quiet">{albums.onlyYou}</p>}
                <Invite album={album} onLeave={onClose} />
              </>
            )
            : <p class="quiet">{albums.onlyOwner}</p>}
        </>
      )}
    </Dialog>
  );
}

function Member(
  { album, member, onLook }: {
    readonly album: AlbumPage;
    readonly member: MemberCard;
    readonly onLook: () => void;
  },
) {
  const { albums, common } = words.value;
  const name = nameOf(member);
  const may = member.owner ? albums.owner : albums.may[member.role];
  const { userId, role } = member;
  const other: MemberRole = role === "viewer" ? "contributor" : "viewer";
  const items: MenuItem[] = [
    { icon: "kept", label: albums.check, act: onLook },
    ...(!album.own ? [] : [{
      icon: role === "viewer" ? "add" : "show",
      label: role === "viewer" ? albums.makeContributor : albums.makeViewer,
      act: () => {
        tryRoster(
          album.id,
          () => vault().albums.changeRole(album.id, userId, other),
        );
      },
    }, {
      icon: "close",
      label: albums.removeMember,
      danger: true,
      act: () =>
        confirm({
          title: albums.removeTitle(name),
          text: albums.removeText(name),
          action: albums.removeMember,
          act: async () => {
            const done = await changeRoster(
              album.id,
              () => vault().albums.removeMember(album.id, userId),
            );
            if (done) toast(albums.removed(name));
          },
        }),
    }] as const),
  ];
  return (
    <li class="line">
      <Face member={member} />
      <span class="line-text">
        <span>{name}</span>
        <span class="quiet small">
          {may} · {albums.photos(member.count, member.noun)}
        </span>
      </span>
      {!member.me && (
        <Menu
          label={`${common.more}: ${name}`}
          button={<Icon name="more" />}
          items={items}
        />
      )}
    </li>
  );
}

function Invite(
  { album, onLeave }: {
    readonly album: AlbumPage;
    readonly onLeave: () => void;
  },
) {
  const { albums } = words.value;
  const [typed, setTyped] = useState("");
  const [found, setFound] = useState<PersonCard>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [isNobody, setNobody] = useState(false);
  const look = async () => {
    setBusy(true);
    setFault(undefined);
    setNobody(false);
    try {
      const person = await vault().people.find(typed);
      setFound(person);
      setNobody(person === undefined);
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
          setNobody(false);
        }}
      />
      <div class="actions">
        <Button kind="main" type="submit" busy={busy}>{albums.find}</Button>
      </div>
      {isNobody && <Nobody album={album} onLeave={onLeave} />}
    </Form>
  );
}

/** The person who was found, with their name and role for the album. */
function Found(
  { album, person, typed, onEnd }: {
    readonly album: AlbumPage;
    readonly person: PersonCard;
    readonly typed: string;
    readonly onEnd: () => void;
  },
) {
  const { albums, common } = words.value;
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
      const done = await changeRoster(
        album.id,
        () =>
          vault().albums.invite(
            album.id,
            person.userId,
            role,
            own || told,
            own !== "",
          ),
      );
      if (done) toast(albums.invited(called));
      onEnd();
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <Form class="invite" onSubmit={invite}>
      <h3>{albums.inviteThem(called)}</h3>
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
