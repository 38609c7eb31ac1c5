/**
 * The page `/prove`: a photo and its proof, checked in the browser. It needs no
 * account, and no server beyond the one that it came from
 * (protocol/logs.md#the-proof-of-a-photo).
 *
 * @module
 */
import { computed, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import "../../browser.ts";
import { policyWith } from "../../../library/logs/witness_choice.ts";
import {
  type PhotoVerdict,
  readPhotoProof,
  verifyPhotoProof,
} from "../../../client/documents/photo_proof.ts";
import { quickened } from "../../../client/keys/portable_primitives.ts";
import { sealerOf } from "../../../client/stream/sealer.ts";
import { sourceOfFile } from "../../../client/stream/threads/file_source.ts";
import { utf8 } from "../../../core/bytes.ts";
import {
  LogPolicyError,
  parseLogPolicy,
} from "../../../crypto/logs/log_policy.ts";
import {
  MAX_PROOF_BYTES,
  PROOF_HEADER,
  type ReceiptProof,
} from "../../../crypto/receipt_proof.ts";
import { chooseAppearance } from "../appearance.ts";
import { Button, Notice, Progress } from "../parts/controls.tsx";
import { Field, Form } from "../parts/form.tsx";
import { addIcons, Icon } from "../parts/icon.tsx";
import { Logo } from "../parts/logo.tsx";
import { shownText } from "../safe_text.ts";
import { chosenFiles, type FoundFile } from "../upload/collecting.ts";
import { DropArea } from "../upload/drop_area.tsx";
import {
  chooseLanguage,
  messages,
  sizeText,
  textNamed,
  timeText,
} from "../messages.ts";
import { texts as english } from "../messages/en_later.ts";
import { LATER_ICONS } from "../parts/later_icons.ts";

interface ReadProof {
  readonly name: string;
  /** Undefined for a file that is no proof. */
  readonly proof: ReceiptProof | undefined;
}

const photo = signal<File | undefined>(undefined);
const given = signal<ReadProof | undefined>(undefined);
/** Whom the reader believes; empty at first. */
const pinned = signal("");
const policy = signal<string | undefined>(undefined);

/** What was found, and of which files and beliefs. */
interface Found {
  readonly key: unknown;
  readonly verdict: PhotoVerdict | "unreadable" | undefined;
  readonly done: number;
}
const found = signal<Found | undefined>(undefined);

/** Changes with everything that a verdict depends on. */
const asked = computed(() => ({
  photo: photo.value,
  given: given.value,
  pinned: pinned.value,
  policy: policy.value,
}));

const KEY_ID = /^[0-9a-f]{64}$/;

/** Tells photo and proof apart by how they begin, whatever they are called. */
async function take(files: readonly FoundFile[]): Promise<void> {
  for (const { file } of files) {
    const isProof = await file.slice(0, PROOF_HEADER.length).text()
      .then((start) => start === PROOF_HEADER, () => false);
    if (!isProof && !file.name.endsWith(".tlog-proof")) {
      photo.value = file;
      continue;
    }
    const proof = file.size > MAX_PROOF_BYTES
      ? undefined
      : await file.text().then((text) => readPhotoProof(utf8(text)), () =>
        undefined);
    given.value = { name: file.name, proof };
  }
}

/** Checks whenever something changed; what is outdated is not shown. */
async function check(signal: AbortSignal): Promise<void> {
  const key = asked.value;
  found.value = undefined;
  const { photo, given, pinned, policy } = key;
  if (given === undefined) return;
  const { proof } = given;
  const tell = (verdict: Found["verdict"], done = 0) => {
    if (!signal.aborted) found.value = { key, verdict, done };
  };
  if (proof === undefined) {
    return tell({ ok: false, fault: "unreadable", detail: "" });
  }
  if (photo === undefined) return;
  tell(undefined);
  try {
    const verdict = await verifyPhotoProof(proof, sourceOfFile(photo), {
      pinned: KEY_ID.test(pinned) ? pinned : undefined,
      policy: policy === undefined ? undefined : parseLogPolicy(policy),
      sealer: sealerOf(await quickened()),
      onProgress: (done) => tell(undefined, done),
      signal,
    });
    tell(verdict);
  } catch {
    // It was moved or changed, or another one was chosen meanwhile.
    tell("unreadable");
  }
}

function Page() {
  const { prove } = messages.value;
  useEffect(() => {
    document.title = prove.title;
  }, [prove]);
  const now = asked.value;
  useEffect(() => {
    const stop = new AbortController();
    check(stop.signal);
    return () => stop.abort();
  }, [now]);
  return (
    <div class="link-page guest-page">
      <header class="guest-head">
        <Logo />
        <h1>{prove.title}</h1>
        <p class="quiet">{prove.intro}</p>
        <p class="quiet">
          {prove.from} <code>strongroom proof PHOTO</code>
        </p>
      </header>
      <main class="guest-main">
        <Choosing />
        <Outcome />
        {given.value?.proof !== undefined && <Beliefs />}
        <section>
          <h2>{prove.limitsTitle}</h2>
          <ul class="bullets">
            {prove.limits.map((one) => <li key={one}>{one}</li>)}
          </ul>
          <p class="quiet small">{prove.keyInside}</p>
        </section>
      </main>
      <DropArea text={prove.drop} take={take} />
    </div>
  );
}

function Choosing() {
  const { prove } = messages.value;
  const files = useRef<HTMLInputElement>(null);
  return (
    <div class="guest-choose">
      <input
        ref={files}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        data-choose="files"
        onChange={({ currentTarget: input }) => {
          const chosen = chosenFiles(input.files);
          // Reset, so that the same files can be chosen again.
          input.value = "";
          take(chosen);
        }}
      />
      <Icon name="upload" size={40} />
      {photo.value !== undefined && (
        <p>{prove.photo({ name: shownText(photo.value.name) })}</p>
      )}
      {given.value !== undefined && (
        <p>{prove.proof({ name: shownText(given.value.name) })}</p>
      )}
      {photo.value === undefined && given.value?.proof !== undefined && (
        <p>{prove.needsPhoto}</p>
      )}
      {photo.value !== undefined && given.value === undefined && (
        <p>{prove.needsProof}</p>
      )}
      <Button kind="main" icon="file" onClick={() => files.current?.click()}>
        {prove.choose}
      </Button>
    </div>
  );
}

function Outcome() {
  const { prove } = messages.value;
  const state = found.value;
  if (state === undefined || state.key !== asked.value) return null;
  const { verdict, done } = state;
  if (verdict === undefined) {
    const size = Math.max(1, photo.value?.size ?? 1);
    return <Progress value={done / size} label={prove.checking} />;
  }
  if (verdict === "unreadable") return <Notice>{prove.unreadable}</Notice>;
  if (!verdict.ok) {
    return (
      <Notice>
        <strong>{prove.refused}</strong>
        <p>{textNamed(prove.faults, verdict.fault) ?? verdict.detail}</p>
      </Notice>
    );
  }
  return <Proven verdict={verdict} />;
}

function Proven(
  { verdict }: { readonly verdict: Extract<PhotoVerdict, { ok: true }> },
) {
  const { prove } = messages.value;
  const { receipt, checkpoint, index, witnessed, isPinned, isOwnPolicy } =
    verdict;
  const { by, isMet } = witnessed;
  return (
    <>
      {isPinned
        ? (
          <Notice kind="good">
            <strong>{prove.holds}</strong>
          </Notice>
        )
        : (
          <Notice kind="warn">
            <strong>{prove.holdsIf}</strong>
            <p>{prove.keyHint}</p>
          </Notice>
        )}
      <dl>
        <dt class="quiet small">{prove.file}</dt>
        <dd>
          {shownText(photo.value?.name ?? "")},{" "}
          {sizeText(photo.value?.size ?? 0)}
        </dd>
        <dt class="quiet small">{prove.signedBy}</dt>
        <dd>{shownText(receipt.server_id)}</dd>
        <dt class="quiet small">{prove.withKey}</dt>
        <dd>
          <code>{receipt.server_key_id}</code>
        </dd>
        <dt class="quiet small">{prove.at}</dt>
        <dd>{timeText(receipt.received_at)}</dd>
        <dt class="quiet small">{prove.log}</dt>
        <dd>
          {prove.entry({
            index,
            size: checkpoint.size,
            origin: shownText(checkpoint.origin),
          })}
        </dd>
        <dt class="quiet small">{prove.seen}</dt>
        {by.length === 0
          ? <dd>{prove.nobody}</dd>
          : by.map((one) => (
            <dd key={one.witness.name}>
              {prove.seenAt({
                name: shownText(one.witness.name),
                when: timeText(one.at),
              })}
            </dd>
          ))}
      </dl>
      {isOwnPolicy
        ? (
          <Notice kind={isMet ? "good" : "warn"}>
            {isMet ? prove.enough : prove.notEnough}
          </Notice>
        )
        : by.length > 0 && <p class="quiet small">{prove.named}</p>}
    </>
  );
}

/** Whom the reader believes: the server's key, and witnesses. */
function Beliefs() {
  const { prove } = messages.value;
  const [witness, setWitness] = useState("");
  const [fault, setFault] = useState<string>();
  const add = () => {
    try {
      policy.value = policyWith(policy.value, witness);
      setWitness("");
      setFault(undefined);
    } catch (error) {
      if (!(error instanceof LogPolicyError)) throw error;
      setFault(error.message);
    }
  };
  return (
    <>
      <Field
        label={prove.pinned}
        hint={prove.pinnedHint}
        value={pinned.value}
        fault={pinned.value === "" || KEY_ID.test(pinned.value)
          ? undefined
          : messages.value.form.unfit}
        onInput={(text) => pinned.value = text.trim().toLowerCase()}
      />
      <Form onSubmit={add}>
        <Field
          label={prove.witness}
          hint={prove.witnessHint}
          value={witness}
          fault={fault}
          onInput={setWitness}
          required
        />
        <Button type="submit">{prove.addWitness}</Button>
      </Form>
    </>
  );
}

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (root === null) throw new Error("the page has no #app");
  chooseAppearance();
  addIcons(LATER_ICONS);
  await chooseLanguage(undefined, english);
  render(<Page />, root);
}

start();
