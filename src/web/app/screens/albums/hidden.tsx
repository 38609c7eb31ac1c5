/**
 * Hidden photos, and the lock before them.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { photoOf } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead, href, route } from "../../routes.ts";
import { revision, sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Photographs } from "../photos.tsx";
import { LibraryDoubt } from "../settings/library_doubt.tsx";
import { OpenHidden } from "./open_hidden.tsx";
import { SetPin } from "./set_pin.tsx";

/** The view at `#/hidden`. */
export function Hidden() {
  const { albums, hiding, photos } = messages.value;
  const { value, error } = useLoaded(
    () => vault().settings.hiddenLock(),
    [revision.value],
  );
  const isLocked = value !== undefined && !value.isOpen;
  const photo = photoOf(route.value);
  useEffect(() => {
    // The photo that was looked at is not gone, but locked.
    if (isLocked && photo !== undefined) goInstead(href("hidden"));
  }, [isLocked, photo]);
  if (error !== undefined) return <Notice>{faultText(error)}</Notice>;
  if (value === undefined) return <div aria-busy="true" />;
  if (isLocked) return <Locked />;
  return (
    <Photographs
      source={{ kind: "hidden" }}
      title={photos.hidden}
      above={
        <>
          <div class="hidden-line">
            {value.isSet && <p class="quiet">{albums.hiddenOpen}</p>}
            {value.isSet && (
              <Button
                icon="lock"
                onClick={() => told(vault().settings.closeHidden())}
              >
                {albums.lockHidden}
              </Button>
            )}
            <Button
              kind={value.isSet ? "quiet" : "plain"}
              onClick={() => overlay((close) => <SetPin close={close} />)}
            >
              {value.isSet ? hiding.pinChange : hiding.pinSet}
            </Button>
            {value.isSet && (
              <Button
                kind="quiet"
                onClick={() => told(vault().settings.setHiddenPin(undefined))}
              >
                {hiding.pinRemove}
              </Button>
            )}
          </div>
          {!value.isSet && sessionState.value?.phrase === true && (
            <Notice kind="warn">{hiding.phraseNotPin}</Notice>
          )}
          <p class="quiet small hidden-line">{albums.hiddenOthers}</p>
          <LibraryDoubt />
        </>
      }
    />
  );
}

/** Shows an error. */
const told = (act: Promise<unknown>) =>
  act.catch((error) => toast(faultText(error)));

/** Asks for the PIN. */
function Locked() {
  const { albums, shell, photos } = messages.value;
  return (
    <div class="view narrow">
      <a class="back" href={href("albums")}>
        <Icon name="back" /> {shell.albums}
      </a>
      <h1>{photos.hidden}</h1>
      <OpenHidden autofocus>
        <p class="quiet">{albums.hiddenLocked}</p>
      </OpenHidden>
    </div>
  );
}
