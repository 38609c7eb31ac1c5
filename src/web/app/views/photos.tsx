/**
 * The timeline.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Empty } from "../parts/controls.tsx";
import { revision, vault } from "../vault.ts";
import { words } from "../words.ts";

/** All photos, newest first. */
export function Photos() {
  const { photos } = words.value;
  const [count, setCount] = useState<number>();
  const seen = revision.value;
  useEffect(() => {
    vault().photos.count().then(setCount);
  }, [seen]);
  if (count === 0) {
    return (
      <Empty icon="photos" title={photos.empty}>
        <p class="quiet">{photos.emptyHint}</p>
      </Empty>
    );
  }
  return <h1>{count === undefined ? "" : photos.count(count)}</h1>;
}
