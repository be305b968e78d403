package host

import (
	"os"
	"slices"
	"strings"
)

// Linux gives the initial pid namespace this number (PROC_PID_INIT_INO in
// include/linux/proc_ns.h).
const initialPIDNamespace = "pid:[4026531836]"

// machineModel is the maker's name of the machine, such as "Amazon EC2 m7i.large".
func (s *survey) machineModel() any {
	const dmi = "sys/class/dmi/id/"
	name := strings.TrimSpace(s.text(dmi+"sys_vendor") + " " + s.text(dmi+"product_name"))
	if name == "" {
		name = s.text("proc/device-tree/model")
	}
	return known(name)
}

// virtualization is "bare" or "vm". Only x86 can tell that no hypervisor is
// there: its CPUs have a flag for it.
func (s *survey) virtualization() any {
	if len(s.info) > 0 && slices.Contains(s.info[0].Flags, "fpu") {
		if slices.Contains(s.info[0].Flags, "hypervisor") {
			return "vm"
		}
		return "bare"
	}
	if s.hypervisorKind() != "" {
		return "vm"
	}
	return nil
}

// hypervisor is "none" on bare metal, else its kind, such as "kvm".
func (s *survey) hypervisor() any {
	if s.virtualization() == "bare" {
		return "none"
	}
	return known(s.hypervisorKind())
}

func (s *survey) hypervisorKind() string {
	if kind := s.text("sys/hypervisor/type"); kind != "" {
		return kind
	}
	model, _ := s.machineModel().(string)
	for _, sign := range []struct{ text, in, kind string }{
		// Before the clocks: VirtualBox offers KVM's clock too.
		{"VirtualBox", model, "virtualbox"},
		{"VMware", model, "vmware"},
		{"Parallels", model, "parallels"},
		{"Apple Virtualization", model, "apple"},
		{"Microsoft Corporation Virtual Machine", model, "hyperv"},
		{"kvm-clock", s.text(clocksource + "available_clocksource"), "kvm"},
		{"hyperv", s.text(clocksource + "available_clocksource"), "hyperv"},
		{"xen", s.text(clocksource + "available_clocksource"), "xen"},
		{"linux,kvm", s.text("proc/device-tree/hypervisor/compatible"), "kvm"},
		{"xen,xen", s.text("proc/device-tree/hypervisor/compatible"), "xen"},
		// After the clocks: QEMU runs with KVM or without.
		{"QEMU", model, "qemu"},
	} {
		if strings.Contains(sign.in, sign.text) {
			return sign.kind
		}
	}
	return ""
}

// container is "none", or what dyno itself runs in: "docker", "podman", what
// systemd says, "other" where a container has no known sign. The signs alone do
// not do: a virtual machine made of an image has them as well.
func (s *survey) container() any {
	namespace, err := os.Readlink(s.path("proc/self/ns/pid"))
	if err != nil {
		return nil
	}
	kind := s.text("run/systemd/container")
	switch {
	case namespace == initialPIDNamespace:
		return "none"
	case kind != "":
		return kind
	case s.exists(".dockerenv"):
		return "docker"
	case s.exists("run/.containerenv"):
		return "podman"
	}
	return "other"
}
