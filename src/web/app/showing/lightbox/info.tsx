/**
 * The panel with everything known about a photo.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Exposure } from "../../../../media/exif/mod.ts";
import type { ContainingAlbum } from "../../../workers/media/viewing_calls.ts";
import { faultText } from "../../faults.ts";
import { listHref, type PhotoInfo } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { IconButton } from "../../parts/controls.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import {
  locale,
  messages,
  sizeText,
  textNamed,
  timeText,
} from "../../messages.ts";
import { Face } from "../../screens/people/face.tsx";
import { Caption, Taken } from "./info_edit.tsx";
import { PlaceFact } from "./info_place.tsx";
import { dayText, exposureText, formatText, lengthText } from "./info_text.ts";
import { useSwipeDown } from "./swipe_down.ts";

/** The panel. */
export function Info({ info, onClose }: {
  readonly info: PhotoInfo;
  readonly onClose: () => void;
}) {
  const { lightbox: { about }, editing, common } = messages.value;
  const tag = locale.value;
  const root = useRef<HTMLElement>(null);
  useSwipeDown(root, onClose);
  const { exposure, containing } = useMore(info);
  const { rating = 0, keywords = [] } = info;
  const { camera, place, width, height, durationMs } = info;
  const cameraName = cameraText(camera);
  // In a shared link there is no owner, and nothing is known about custody.
  const isShared = info.owner === "";
  const { host } = info;
  const source = textNamed(about.dateSource, info.takenSource ?? "");
  const custody = textNamed(about.custody, info.custody);
  const megapixels = width !== undefined && height !== undefined
    ? (width * height / 1_000_000).toLocaleString(tag, {
      maximumFractionDigits: 1,
    })
    : undefined;
  return (
    <aside
      ref={root}
      class="lightbox-info"
      aria-labelledby="lightbox-info-title"
    >
      <span class="lightbox-grab" aria-hidden="true" />
      <header>
        <h2 id="lightbox-info-title">{about.title}</h2>
        <IconButton icon="close" label={common.close} onClick={onClose} />
      </header>
      {isShared
        ? info.caption !== undefined && <p>{info.caption}</p>
        : <Caption info={info} />}
      <dl>
        {isShared
          ? info.taken !== 0 && (
            <Fact icon="calendar" name={about.date}>
              <p>{dayText(info, tag)}</p>
            </Fact>
          )
          : (
            <Fact icon="calendar" name={about.date}>
              <Taken info={info}>
                <p>{dayText(info, tag)}</p>
                <p class="quiet small">{source}</p>
              </Taken>
              <p class="quiet small">
                {about.added({ when: timeText(info.addedAt) })}
              </p>
            </Fact>
          )}
        {host !== undefined && (
          <Fact icon="outside" name={messages.value.abroad.albums}>
            <p>{messages.value.abroad.on({ host })}</p>
          </Fact>
        )}
        {!isShared && host === undefined && <PeopleIn id={info.id} />}
        {!isShared && !info.mine && host === undefined && (
          <Fact icon="people" name={about.person}>
            <AddedBy info={info} />
          </Fact>
        )}
        {rating > 0 && (
          <Fact icon="star" name={editing.rating}>
            <p aria-label={editing.stars({ n: rating })} role="img">
              {"★".repeat(rating) + "☆".repeat(5 - rating)}
            </p>
          </Fact>
        )}
        {keywords.length > 0 && (
          <Fact icon="tag" name={editing.tags}>
            <ul class="lightbox-tags">
              {keywords.map((word) => (
                <li key={word}>
                  {isShared
                    ? word
                    : (
                      <a href={listHref({ kind: "search", q: word })}>
                        {word}
                      </a>
                    )}
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {cameraName !== undefined && (
          <Fact icon="camera" name={about.camera}>
            <p>{cameraName}</p>
            {camera?.lens !== undefined && (
              <p class="quiet small">{camera.lens}</p>
            )}
            {exposure !== undefined && (
              <p class="quiet small">{exposureText(exposure, tag)}</p>
            )}
          </Fact>
        )}
        <Fact icon="file" name={about.file}>
          <p class="lightbox-name">{info.name}</p>
          <p class="quiet small">
            {[
              sizeText(info.size),
              // A link contains the sizes of its small pictures, not of
              // originals.
              !isShared && width !== undefined && height !== undefined
                ? about.pixels({ width: String(width), height: String(height) })
                : undefined,
              isShared || megapixels === undefined || info.kind === "video"
                ? undefined
                : about.megapixels({ n: megapixels }),
              durationMs === undefined ? undefined : lengthText(durationMs),
              formatText(info.mime),
            ].filter((text) => text !== undefined).join(" · ")}
          </p>
        </Fact>
        {!isShared && (place !== undefined || info.mine) && (
          <Fact icon="place" name={about.place}>
            <PlaceFact info={info} />
          </Fact>
        )}
        {!isShared && (
          <>
            <Fact icon="albums" name={about.albums}>
              {containing === undefined
                ? <p class="quiet" aria-busy="true">…</p>
                : containing.length === 0
                ? <p class="quiet">{about.noAlbums}</p>
                : (
                  <ul>
                    {containing.map(({ id, kind, title }) => (
                      <li key={id}>
                        <a href={href(kind, id)}>{title}</a>
                      </li>
                    ))}
                  </ul>
                )}
            </Fact>
            {/* Nothing proves to a member what another server keeps. */}
            {host === undefined && (
              <Fact
                icon={["missing", "damaged"].includes(info.custody)
                  ? "alarm"
                  : "safe"}
                name={about.safety}
              >
                <p>{custody}</p>
                {info.custodyAt !== undefined && (
                  <p class="quiet small">{timeText(info.custodyAt)}</p>
                )}
              </Fact>
            )}
          </>
        )}
      </dl>
    </aside>
  );
}

function Fact({ icon, name, children }: {
  readonly icon: IconName;
  readonly name: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="lightbox-fact">
      <dt>
        <Icon name={icon} />
        <span class="unseen">{name}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Who is in a photo, as far as faces were looked for. */
function PeopleIn({ id }: { readonly id: string }) {
  const { faces } = messages.value;
  const { value = [] } = useLoaded(
    () => vault().faces.inPhoto(id),
    [id, revision.value],
  );
  if (value.length === 0) return null;
  return (
    <Fact icon="people" name={faces.inPhoto}>
      <ul class="people-in">
        {value.map(({ id: person, name, face }, at) => (
          <li key={face.id}>
            <a
              href={href("person", person)}
              title={name ?? faces.unnamed}
              aria-label={name ?? faces.personNumber({ n: at + 1 })}
            >
              <Face face={face} />
              {name !== undefined && <span>{name}</span>}
            </a>
          </li>
        ))}
      </ul>
    </Fact>
  );
}

/** Who added a photo of someone else, and the way to all of theirs. */
function AddedBy({ info }: { readonly info: PhotoInfo }) {
  const { lightbox: { about } } = messages.value;
  const { id, owner, album } = info;
  const { value } = useLoaded(async () => {
    const found = await vault().viewing.addedBy(id);
    const name = found ?? await vault().people.nameOf(owner, album);
    return { name, isFound: found !== undefined };
  }, [id, revision.value]);
  if (value === undefined) return <p class="quiet" aria-busy="true">…</p>;
  const { name, isFound } = value;
  if (name === undefined) return <p>{about.addedBySomebody}</p>;
  return (
    <p>
      {isFound
        ? (
          <a
            href={listHref({ kind: "search", q: about.searchPerson({ name }) })}
          >
            {about.addedBy({ name })}
          </a>
        )
        : about.addedBy({ name })}
    </p>
  );
}

function cameraText(camera: PhotoInfo["camera"]): string | undefined {
  if (camera === undefined) return undefined;
  const { make = "", model = "" } = camera;
  // Many models' names begin with the maker's.
  const name = model.toLowerCase().startsWith(make.toLowerCase())
    ? model
    : `${make} ${model}`;
  return name.trim() === "" ? camera.lens : name.trim();
}

/** Loads the exposure, and the albums and collections of the photo. */
function useMore(info: PhotoInfo) {
  const [exposure, setExposure] = useState<Exposure>();
  const [containing, setContaining] = useState<readonly ContainingAlbum[]>();
  const seen = revision.value;
  useEffect(() => {
    let gone = false;
    setExposure(undefined);
    vault().viewing.exposure(info.id).then((found) => {
      if (!gone) setExposure(found);
    }, () => {
      // The stage reports damage.
    });
    return () => {
      gone = true;
    };
  }, [info.id]);
  useEffect(() => {
    let gone = false;
    vault().viewing.containing(info.id).then((found) => {
      if (!gone) setContaining(found);
    }, (error) => {
      if (!gone) {
        setContaining([{ id: "", kind: "album", title: faultText(error) }]);
      }
    });
    return () => {
      gone = true;
    };
  }, [info.id, seen]);
  return { exposure, containing };
}
