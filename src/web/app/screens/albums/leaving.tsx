/**
 * Leaving someone else's album, with one's own photos or without.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { AlbumPage } from "../../../workers/library/albums/album_cards.ts";
import { messages } from "../../messages.ts";
import { Radios } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead, href } from "../../routes.ts";
import { vault } from "../../vault.ts";

/** Asks whether to leave, and what is to become of the person's own photos. */
export function leaveAlbum(album: AlbumPage, title: string): void {
  const { albums } = messages.value;
  let isAlong = false;
  const hasOwn = album.members.some(({ me, count }) => me && count > 0);
  confirm({
    title: albums.leaveTitle({ album: title }),
    text: (
      <>
        <p>{albums.leaveText}</p>
        {hasOwn && <Own onChoose={(along) => isAlong = along} />}
      </>
    ),
    action: albums.leave,
    act: async () => {
      const n = await vault().albums.leave(album.id, isAlong);
      goInstead(href("albums"));
      const stayed = n > 0 ? [albums.leaveStayed({ n })] : [];
      toast([albums.left({ album: title }), ...stayed].join(". "));
    },
  });
}

function Own({ onChoose }: { readonly onChoose: (isAlong: boolean) => void }) {
  const { albums } = messages.value;
  const [value, setValue] = useState<"stay" | "along">("stay");
  return (
    <Radios
      label={albums.leaveOwn}
      value={value}
      options={[
        ["stay", albums.leaveStay, albums.leaveStayHint],
        ["along", albums.leaveAlong, albums.leaveAlongHint],
      ]}
      onChoose={(one) => {
        setValue(one);
        onChoose(one === "along");
      }}
    />
  );
}
