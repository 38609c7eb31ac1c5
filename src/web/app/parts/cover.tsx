/**
 * The cover of a list of photos.
 *
 * @module
 */
import { useThumb } from "../thumbs.ts";
import { Icon, type IconName } from "./icon.tsx";

/** A photo, cropped to fill its place; an icon if there is none. */
export function Cover(
  { id, icon = "albums" }: {
    readonly id: string | undefined;
    readonly icon?: IconName;
  },
) {
  return (
    <span class="cover">
      {id === undefined
        ? <Icon name={icon} size={32} />
        : <Picture key={id} id={id} icon={icon} />}
    </span>
  );
}

function Picture(
  { id, icon }: { readonly id: string; readonly icon: IconName },
) {
  const thumb = useThumb(id);
  // What is dragged is the link around it, and no file.
  if (thumb.state === "here") {
    return <img src={thumb.url} alt="" draggable={false} />;
  }
  if (thumb.state === "coming") return null;
  return <Icon name={thumb.state === "damaged" ? "alarm" : icon} size={32} />;
}
