/**
 * Components and functions that are fetched when they are first needed.
 *
 * @module
 */
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { faultText } from "../faults.ts";
import { firstPictures } from "../first_pictures.ts";
import { part } from "../part.ts";
import { firstMessages } from "../first_messages.ts";
import { Button, Notice, Spinner } from "./controls.tsx";
import { toast } from "./toasts.tsx";

/** A quiet part has no button to retry: it is tried again later (ms). */
const QUIET_AGAIN_MS = 10_000;

/** Options of {@link lazily}. */
interface Lazily {
  /** Shows nothing while it is fetched, nor that it could not be. */
  readonly quiet?: boolean;
  /** Fetches it once the first pictures are here. */
  readonly afterPictures?: boolean;
  /** What the spinner, and what went wrong, are shown in. */
  readonly within?: ComponentType<Within>;
}

/** Properties of what a spinner or a message is shown in. */
export interface Within {
  readonly busy: boolean;
  readonly children: ComponentChildren;
}

/** A component that is fetched when it is first drawn. */
export function lazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { quiet = false, afterPictures = false, within: Place = Centred }: Lazily =
    {},
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [error, setError] = useState<unknown>();
    const [turn, setTurn] = useState(0);
    const [, drawn] = useState(false);
    const again = () => {
      setError(undefined);
      setTurn(turn + 1);
    };
    useEffect(() => {
      if (loaded !== undefined) return;
      let gone = false;
      const asked = afterPictures
        ? firstPictures().then(() => part(load))
        : part(load);
      asked.then((of) => {
        loaded = of;
        if (!gone) drawn(true);
      }, (error) => {
        if (!gone) setError(error);
      });
      return () => {
        gone = true;
      };
    }, [turn]);
    useEffect(() => {
      if (!quiet || error === undefined) return;
      const timer = setTimeout(again, QUIET_AGAIN_MS);
      return () => clearTimeout(timer);
    }, [error]);
    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    if (quiet) return null;
    return (
      <Place busy={error === undefined}>
        {error === undefined ? <Spinner /> : (
          <>
            <Notice>{faultText(error)}</Notice>
            <Button onClick={again}>{firstMessages.value.common.retry}</Button>
          </>
        )}
      </Place>
    );
  };
}

function Centred({ busy, children }: Within) {
  return (
    <div
      class={busy ? "page-centre" : "page-centre link-fault"}
      aria-busy={busy}
    >
      {children}
    </div>
  );
}

/**
 * Does something with a part of the app. If it cannot be fetched, that is said,
 * with a button to try again.
 */
export async function withPart<T>(
  load: () => Promise<T>,
  use: (loaded: T) => unknown,
): Promise<void> {
  let loaded: T;
  try {
    loaded = await part(load);
  } catch (error) {
    return toast(faultText(error), {
      label: firstMessages.value.common.retry,
      act: () => withPart(load, use),
    });
  }
  await use(loaded);
}
