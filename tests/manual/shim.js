// From a disk browsers start no worker. This runs the worker's script in a hidden frame instead, so that the search works.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.waiting = []
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.documentElement.appendChild(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = (data) => this.tell(data)
      inside.importScripts = (...urls) => Promise.all(urls.map((one) => this.load(one)))
      this.load(url).then(() => {
        const waiting = this.waiting
        this.waiting = null
        waiting.forEach((data) => this.postMessage(data))
      })
    }
    load(url) {
      return new Promise((done) => {
        const inside = this.frame.contentDocument
        const script = inside.createElement("script")
        script.src = url
        script.onload = done
        inside.body.appendChild(script)
      })
    }
    tell(data) {
      const event = new MessageEvent("message", { data })
      this.dispatchEvent(event)
      if (this.onmessage) this.onmessage(event)
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data)
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
