/**
 * The people an album is shared with: inviting, roles, removing, and verifying.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { toast } from "../../parts/toasts.tsx";
import { revision, vault } from "../../vault.ts";
import type {
  AlbumPage,
  MemberCard,
  MemberRole,
} from "../../../workers/library/albums/album_cards.ts";
import { messages } from "../../messages.ts";
import { Face, nameOf } from "./faces.tsx";
import { Invite } from "./inviting.tsx";
import { Person } from "./person.tsx";
import { changeRoster, tryRoster } from "./roster.tsx";

const AsksAgain = lazily(async () =>
  (await import("../../abroad/asking.tsx")).AsksAgain
);

/** Loaded later: few people share with another server. */
const InviteAbroad = lazily(async () =>
  (await import("../../abroad/inviting.tsx")).InviteAbroad
);

/** The people of an album. */
export function PeopleDialog(
  { albumId, onClose }: {
    readonly albumId: string;
    readonly onClose: () => void;
  },
) {
  const { albums } = messages.value;
  const { value: album, error } = useLoaded(
    () => vault().albums.page(albumId),
    [revision.value],
  );
  const [looked, setLooked] = useState<string>();
  useEffect(() => {
    // Who left is taken off the list; without a connection it stays as it is.
    vault().albums.settle(albumId).catch(() => {});
  }, [albumId]);
  const [abroad, setAbroad] = useState<{ readonly member?: string }>();
  if (abroad !== undefined && album !== undefined) {
    return (
      <InviteAbroad
        albumId={albumId}
        {...abroad}
        onBack={() => setAbroad(undefined)}
        onClose={onClose}
      />
    );
  }
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
          {album.leftOut.map(({ userId, name = albums.somebody }) => (
            <Notice key={userId} kind="warn">
              {albums.leftOut({ name })}
            </Notice>
          ))}
          {album.own && <AsksAgain albumId={albumId} />}
          <ul class="lines">
            {album.members.map((one) => (
              <Member
                key={one.userId}
                album={album}
                member={one}
                onLook={() => setLooked(one.userId)}
                onLink={() => setAbroad({ member: one.userId })}
              />
            ))}
          </ul>
          {album.own
            ? (
              <>
                {album.others === 0 && <p class="quiet">{albums.onlyYou}</p>}
                {album.members.some(({ me, count }) => !me && count === 0) && (
                  <p class="quiet small">{albums.notTold}</p>
                )}
                <Invite album={album} onLeave={onClose} />
                <div class="actions start">
                  <Button icon="outside" onClick={() => setAbroad({})}>
                    {messages.value.abroad.someone}
                  </Button>
                </div>
              </>
            )
            : <p class="quiet">{albums.onlyOwner}</p>}
        </>
      )}
    </Dialog>
  );
}

function Member(
  { album, member, onLook, onLink }: {
    readonly album: AlbumPage;
    readonly member: MemberCard;
    readonly onLook: () => void;
    /** Shows the invitation of a person of another server again. */
    readonly onLink: () => void;
  },
) {
  const { abroad, albums, common } = messages.value;
  const name = nameOf(member);
  const may = member.owner ? albums.owner : albums.may[member.role];
  const { userId, role } = member;
  const other: MemberRole = role === "viewer" ? "contributor" : "viewer";
  const change: MenuItem = member.host === undefined
    ? {
      icon: role === "viewer" ? "add" : "show",
      label: role === "viewer" ? albums.makeContributor : albums.makeViewer,
      act: () => {
        tryRoster(
          album.id,
          () => vault().albums.changeRole(album.id, userId, other),
        );
      },
    }
    // They only read.
    : { icon: "link", label: abroad.link, act: onLink };
  const items: MenuItem[] = [
    { icon: "safe", label: albums.check, act: onLook },
    ...(!album.own ? [] : [
      change,
      {
        icon: "close",
        label: albums.removeMember,
        danger: true,
        act: () =>
          confirm({
            title: albums.removeTitle({ name }),
            text: albums.removeText({ name }),
            action: albums.removeMember,
            act: async () => {
              const done = await changeRoster(
                album.id,
                () => vault().albums.removeMember(album.id, userId),
              );
              if (done) toast(albums.removed({ name }));
            },
          }),
      },
    ] as const),
  ];
  return (
    <li class="line">
      <Face member={member} />
      <span class="line-text">
        <span>{name}</span>
        <span class="quiet small">
          {member.host !== undefined &&
            `${abroad.on({ host: member.host })} · `}
          {may} · {albums.photos({ n: member.count, noun: member.noun })}
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
