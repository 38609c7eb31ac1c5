/**
 * The settings page `you`: name and handle.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages, timeText } from "../../messages.ts";
import { Group, Line, Waiting } from "./parts.tsx";

const HANDLE = /^[a-z][a-z0-9_]{2,31}$/;

/** The page `you`. */
export function You() {
  const { common, settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.profile(), []);
  const profile = loaded.value;
  if (profile === undefined) return <Waiting loaded={loaded} />;
  return (
    <>
      <Group>
        <ProfileForm profile={profile} onSaved={loaded.again} />
      </Group>
      <Group>
        <Line
          name={settings.address}
          value={profile.address ?? settings.addressNone}
        />
        <p class="quiet small">
          {settings.since({
            day: timeText(profile.created_at, { dateStyle: "long" }),
          })}
        </p>
      </Group>
      <Group>
        <Line
          name={settings.pages.contact}
          value={messages.value.abroad.ownWhy}
        >
          <a
            class="button"
            href={href("settings", "contact")}
            aria-label={`${common.show}: ${settings.pages.contact}`}
          >
            {common.show}
          </a>
        </Line>
      </Group>
      <Group>
        <Line name={settings.pages.delete} value={settings.deleteWhy}>
          <a
            class="button"
            href={href("settings", "delete")}
            aria-label={`${common.show}: ${settings.pages.delete}`}
          >
            {common.show}
          </a>
        </Line>
      </Group>
    </>
  );
}

/** It begins with what is saved, and keeps what is typed after that. */
function ProfileForm({ profile, onSaved }: {
  readonly profile: Awaited<
    ReturnType<ReturnType<typeof vault>["settings"]["profile"]>
  >;
  readonly onSaved: () => void;
}) {
  const { common, settings } = messages.value;
  const doing = useDoing();
  const [name, setName] = useState(profile.display_name ?? "");
  const [handle, setHandle] = useState(profile.handle ?? "");
  const [fault, setFault] = useState<string>();
  const save = () => {
    const wanted = handle.trim();
    const isGood = wanted === "" || HANDLE.test(wanted);
    setFault(isGood ? undefined : settings.handleWrong);
    if (!isGood) return;
    doing.run(async () => {
      const calls = vault().settings;
      if (name.trim() !== (profile.display_name ?? "")) {
        await calls.rename(name.trim());
      }
      if (wanted !== (profile.handle ?? "")) await calls.setHandle(wanted);
      onSaved();
      toast(settings.saved);
    });
  };
  return (
    <Form class="stack" onSubmit={save}>
      <Field
        label={settings.name}
        hint={settings.nameHint}
        autocomplete="name"
        maxLength={128}
        value={name}
        onInput={setName}
      />
      <Field
        label={settings.handle}
        hint={settings.handleHint}
        autocomplete="off"
        maxLength={32}
        value={handle}
        fault={fault}
        onInput={setHandle}
      />
      <Refused doing={doing} />
      <div>
        <Button kind="main" type="submit" busy={doing.busy}>
          {common.save}
        </Button>
      </div>
    </Form>
  );
}
