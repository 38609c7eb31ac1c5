/**
 * Components that are loaded when they are first shown.
 *
 * @module
 */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Spinner } from "./controls.tsx";

/**
 * A component that is loaded when it is first drawn. A `quiet` one shows
 * nothing while it is loaded.
 */
export function lazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { quiet = false }: { readonly quiet?: boolean } = {},
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, drawn] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      let gone = false;
      load().then((of) => {
        loaded = of;
        if (!gone) drawn(1);
      });
      return () => {
        gone = true;
      };
    }, []);
    if (loaded === undefined) {
      return quiet ? null : (
        <div class="page-centre" aria-busy="true">
          <Spinner />
        </div>
      );
    }
    const Loaded = loaded;
    return <Loaded {...props} />;
  };
}
