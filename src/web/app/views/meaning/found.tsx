/**
 * The photos that show what a text says, those that fit best first.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ServedModels } from "../../../../core/meaning.ts";
import { listHref } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, Empty, Notice, Spinner } from "../../parts/controls.tsx";
import { faultText } from "../../faults.ts";
import { messages } from "../../messages.ts";
import { route } from "../../routes.ts";
import { useTitle } from "../../title.ts";
import { revision, vault } from "../../vault.ts";
import { Photographs } from "../photos.tsx";
import { HowFar, TurnOnMeaning } from "./choice.tsx";
import { looking, type Running, startModels } from "./looking.ts";

/** The view at `#/meaning?q=…`. */
export function ByMeaning() {
  const { meaning } = messages.value;
  const q = route.value.query.get("q") ?? "";
  useTitle(q);
  const { value: status, error } = useLoaded(
    () => vault().meaning.status(),
    [revision.value],
  );
  const isOn = status?.kind === "on";
  useEffect(() => {
    if (isOn) looking.start();
  }, [isOn]);
  if (error !== undefined) return <Notice>{faultText(error)}</Notice>;
  if (status?.kind === "none") {
    return <Empty icon="search" title={meaning.none} />;
  }
  if (status?.kind === "off") {
    return (
      <div class="view">
        <header class="view-head">
          <h1>{meaning.title}</h1>
        </header>
        <TurnOnMeaning models={status.models} />
      </div>
    );
  }
  if (status === undefined) return <Waiting />;
  return (
    <Found q={q} models={status.models} left={status.left}>
      <p class="quiet meaning-note">{meaning.note}</p>
      {status.left > 0 && <HowFar status={status} />}
      <p>
        <a href={listHref({ kind: "search", q })}>{meaning.exact}</a>
      </p>
    </Found>
  );
}

function Waiting() {
  return (
    <p class="page-centre" aria-busy="true">
      <Spinner />
    </p>
  );
}

/** What is found, once the text has its vector. */
function Found(
  { q, models, left, children }: {
    readonly q: string;
    readonly models: ServedModels;
    readonly left: number;
    readonly children: ComponentChildren;
  },
) {
  const { common, meaning } = messages.value;
  const running = useRef<Running>(undefined);
  const asked = useRef<{ readonly q: string; readonly is: Float32Array }>(
    undefined,
  );
  const [found, setFound] = useState<string>();
  const [isFailed, setFailed] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => () => running.current?.end(), []);
  useEffect(() => {
    let gone = false;
    const find = async () => {
      setFailed(false);
      try {
        if (asked.current?.q !== q) {
          running.current ??= startModels();
          const is = await running.current.calls.text(models, q);
          asked.current = { q, is };
        }
        if (gone) return;
        await vault().meaning.find(q, asked.current.is);
        if (!gone) setFound(q);
      } catch {
        if (!gone) setFailed(true);
      }
    };
    find();
    return () => {
      gone = true;
    };
    // With each photo that was looked at there may be more.
  }, [q, left, turn]);
  if (isFailed) {
    return (
      <div class="view stack">
        <h1>{q}</h1>
        <Notice>{meaning.fault}</Notice>
        {children}
        <div class="actions">
          <Button onClick={() => setTurn(turn + 1)}>{common.retry}</Button>
        </div>
      </div>
    );
  }
  if (found !== q) return <Waiting />;
  return (
    <Photographs
      source={{ kind: "meaning", q }}
      title={q}
      nothing={["search", meaning.nothing({ q }), meaning.nothingHint]}
      above={<div class="meaning-about">{children}</div>}
    />
  );
}
