/**
 * The way to where an album is: the overview, and the folders that its title
 * names.
 *
 * @module
 */
import { Icon } from "../../parts/icon.tsx";
import { href } from "../../routes.ts";
import { messages } from "../../messages.ts";

/** Links to the overview and to each folder of a path. */
export function Crumbs({ path }: { readonly path: readonly string[] }) {
  const { albums } = messages.value;
  if (path.length === 0) {
    return (
      <a class="back" href={href("albums")}>
        <Icon name="back" /> {albums.title}
      </a>
    );
  }
  return (
    <nav class="crumbs" aria-label={albums.where}>
      <a class="back" href={href("albums")}>
        <Icon name="back" /> {albums.title}
      </a>
      {path.map((name, at) => (
        <a
          key={name}
          class="back"
          href={href("albums", ...path.slice(0, at + 1))}
        >
          <Icon name="right" size={16} /> {name}
        </a>
      ))}
    </nav>
  );
}
