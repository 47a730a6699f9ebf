// Objects of the wasm, and when they may be asked.
import { HindscopeError } from './error.mjs';

/** The class of objects of a wasm that `ask` calls. */
export function handles(ask) {
  return class Handle {
    #name;
    #inner;
    #crash;

    /** `make` gives the object; `name` is what messages call it. */
    constructor(name, make) {
      this.#name = name;
      this.#inner = ask(make);
    }

    /** Calls the object. After a crash its state is unknown, so it is never asked again. */
    ask(call) {
      const inner = this.#inner;
      if (this.#crash) {
        throw new HindscopeError('crashed', `This ${this.#name} has crashed. Create a new one; other objects still work.`, {}, { cause: this.#crash });
      }
      if (!inner) throw new HindscopeError('freed', `This ${this.#name} was freed before.`);
      try {
        return ask(() => call(inner));
      } catch (error) {
        if (error.code === 'crashed') this.#crash = error;
        throw error;
      }
    }

    /** Gives the memory back, except that of a crash: it is not known who still holds it. */
    free() {
      try {
        if (!this.#crash) this.#inner?.free();
      } catch {
        // Something else has crashed the instance: there is nothing to give back.
      }
      this.#inner = undefined;
    }
  };
}

/** Lets `using` give the memory back. Older runtimes have no Symbol.dispose, and nobody asks there. */
export function disposable(Class) {
  if (Symbol.dispose) Object.defineProperty(Class.prototype, Symbol.dispose, { value: Class.prototype.free });
}
